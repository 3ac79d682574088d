"""Words that people write into tables, in ten languages: what happened, what did not, what is not known.

Each language has words with commas between them, in small letters. Accents may be written: they are not
heeded, and neither are endings such as those of German or Spanish adjectives.
"""

from __future__ import annotations

EVENT_WORDS = {
    "English": """
        yes, true, positive, seropositive, febrile, septic, contaminated, often, pos, present, presence,
        case, diseased, disease, ill, sick, died, death, dead, die, deceased, fatal, fatality, failure,
        failed, fail, relapse, relapsed, recurrence, recurrent, recurred, progression, progressed,
        abnormal, exposed, treated, treatment, intervention, affected, afflicted, infected, infection,
        event, malignant, cancer, carcinoma, tumour, tumor, metastatic, mutant, mutated, mutation,
        carrier, detected, detectable, reactive, symptomatic, diabetic, hypertensive, obese, smoker,
        smoking, smokes, pregnant, hospitalised, hospitalized, admitted, readmitted, injured, injury,
        complication, complications, severe, critical, toxic, poisonous, fraud, fraudulent, spam, churn,
        churned, default, defaulted, bankrupt, vaccinated, ever, high, elevated, raised, increased, bad,
        poor, worse, worsened, deteriorated, unhealthy, defective, faulty, damaged, broken, anomaly,
        anomalous, attack, on, active, checked, ticked, selected, mentioned, agree, agreed, hit, lost,
        dropout, dropped out, occurred, impaired, at risk, non survivor, nonsurvivor, diagnosed, suffers,
        perished, passed away, drug, verum, active treatment, hemorrhage, haemorrhage, bleeding, fracture,
        fractured, pathological, pathologic, allergic, unwell, violation, reject, rejected, arrested,
        reoffended,
        unemployed, jobless, convicted, delayed, preterm, premature, unable
        """,
    "German": """
        ja, wahr, richtig, positiv, vorhanden, fall, erkrankt, krank, krankheit, verstorben, gestorben,
        tot, tod, todesfall, todlich, exitus, versagen, ausfall, misserfolg, ruckfall, ruckfallig,
        rezidiv, progress, progression, auffallig, abnorm, anormal, abnormal, pathologisch, krankhaft,
        exponiert, behandelt, behandlung, therapie, intervention, verum, betroffen, infiziert, ereignis,
        bosartig, maligne, krebs, mutiert, trager, nachgewiesen, nachweisbar, symptomatisch, diabetiker,
        diabetikerin, raucher, raucherin, raucht, schwanger, hospitalisiert, verletzt, komplikation,
        komplikationen, schwer, giftig, betrug, geimpft, hoch, erhoht, schlecht, verschlechtert, defekt,
        beschadigt, aktiv, an, angekreuzt, genannt, gewahlt, zutreffend, trifft zu, stimmt, aufgetreten,
        eingetreten, blutung, fraktur, uebergewichtig, ubergewichtig, adipos, abgebrochen, ungesund,
        leidend,
        arbeitslos, erwerbslos, durchgefallen, verspatet, verurteilt
        """,
    "French": """
        oui, vrai, positif, seropositif, present, presence, cas, malade, maladie, atteint, decede, deces,
        mort, echec, rechute, recidive, recidivant, progression, anormal, anomalie, pathologique, expose,
        traite, traitement, intervention, touche, infecte, evenement, malin, maligne, cancer, mute,
        porteur, detecte, detectable, symptomatique, diabetique, hypertendu, fumeur, fumeuse, fume,
        enceinte, hospitalise, blesse, complication, complications, grave, severe, toxique, fraude,
        vaccine, eleve, haut, mauvais, aggrave, defectueux, actif, coche, mentionne, survenu, souffrant,
        hemorragie, fracture, obese, affecte,
        chomeur, chomeuse, au chomage, sans emploi, recale, en retard
        """,
    "Spanish": """
        si, verdadero, cierto, positivo, seropositivo, presente, presencia, caso, enfermo, enfermedad,
        fallecido, fallecimiento, fallecio, muerto, muerte, murio, difunto, fracaso, fallo, recaida,
        recayo, recidiva, recurrencia, progresion, anormal, anomalo, patologico, expuesto, tratado,
        tratamiento, intervencion, afectado, infectado, infeccion, evento, maligno, cancer, mutado,
        portador, detectado, detectable, sintomatico, diabetico, hipertenso, fumador, fuma, embarazada,
        hospitalizado, ingresado, herido, lesionado, complicacion, complicaciones, grave, severo, toxico,
        fraude, vacunado, elevado, alto, malo, empeorado, defectuoso, activo, marcado, mencionado,
        ocurrio, hemorragia, fractura, obeso, alterado,
        desempleado, desocupado, en paro, reprobado, suspenso
        """,
    "Italian": """
        si, vero, positivo, sieropositivo, presente, presenza, caso, malato, malata, malattia, ammalato,
        deceduto, decesso, morto, morte, fallimento, insuccesso, recidiva, ricaduta, progressione,
        anormale, anomalo, patologico, esposto, trattato, trattamento, intervento, affetto, colpito,
        infetto, infettato, evento, maligno, cancro, tumore, mutato, portatore, rilevato, rilevabile,
        sintomatico, diabetico, iperteso, fumatore, fumatrice, fuma, incinta, gravida, ospedalizzato,
        ricoverato, ferito, complicanza, complicanze, grave, severo, tossico, frode, vaccinato, elevato,
        alto, cattivo, peggiorato, difettoso, attivo, alterato, emorragia, frattura, obeso, guasto,
        disoccupato, bocciato, respinto, in ritardo
        """,
    "Portuguese": """
        sim, verdadeiro, positivo, soropositivo, presente, presenca, caso, doente, doenca, enfermo,
        falecido, obito, morto, morte, morreu, faleceu, falha, fracasso, recaida, recidiva, recorrencia,
        progressao, anormal, anomalo, patologico, exposto, tratado, tratamento, intervencao, afetado,
        acometido, infectado, infetado, infecao, infeccao, evento, maligno, cancer, cancro, mutado,
        portador, detectado, detetado, detectavel, sintomatico, diabetico, hipertenso, fumante, fumador,
        fuma, gravida, gestante, hospitalizado, internado, ferido, complicacao, complicacoes, grave,
        severo, toxico, fraude, vacinado, elevado, alto, ruim, mau, piorou, defeituoso, ativo, marcado,
        ocorreu, hemorragia, fratura, obeso, alterado,
        desempregado, reprovado, atrasado
        """,
    "Dutch": """
        ja, waar, juist, positief, aanwezig, geval, ziek, ziekte, zieke, overleden, gestorven, dood,
        overlijden, sterfgeval, mislukt, mislukking, falen, terugval, recidief, progressie, afwijkend,
        abnormaal, pathologisch, blootgesteld, behandeld, behandeling, interventie, aangedaan, getroffen,
        besmet, geinfecteerd, gebeurtenis, kwaadaardig, maligne, kanker, gemuteerd, drager, aangetoond,
        gedetecteerd, aantoonbaar, symptomatisch, diabeet, diabetisch, roker, rookt, rookster, zwanger,
        opgenomen, gehospitaliseerd, gewond, complicatie, complicaties, ernstig, giftig, fraude,
        gevaccineerd, hoog, verhoogd, slecht, verslechterd, defect, kapot, actief, aan, aangevinkt,
        genoemd, opgetreden, bloeding, breuk, fractuur,
        werkloos, werkeloos, gezakt, vertraagd
        """,
    "Polish": """
        tak, prawda, pozytywny, dodatni, obecny, obecnosc, przypadek, chory, choroba, zachorowal, zmarly,
        zmarl, zmarla, zgon, smierc, martwy, niepowodzenie, porazka, nawrot, wznowa, progresja,
        nieprawidlowy, nieprawidlowo, patologiczny, narazony, leczony, leczenie, interwencja, dotkniety,
        zakazony, zarazony, zdarzenie, zlosliwy, rak, nowotwor, zmutowany, nosiciel, wykryty, wykryto,
        wykrywalny, objawowy, cukrzyk, palacz, palacy, pali, ciaza, w ciazy, hospitalizowany, ranny,
        powiklanie, powiklania, ciezki, toksyczny, trujacy, oszustwo, zaszczepiony, szczepiony, wysoki,
        podwyzszony, zly, pogorszenie, wadliwy, uszkodzony, aktywny, zaznaczono, wystapil, wystapilo,
        krwawienie, zlamanie, otyly, wystepuje, jest,
        bezrobotny, bezrobotna, oblany, niezdany, opozniony
        """,
    "Chinese": """
        是, 对, 對, 真, 有, 阳, 陽, 阳性, 陽性, 存在, 病例, 患病, 患者, 病人, 发病, 發病, 疾病, 有病,
        患有, 死亡, 死, 病死, 死者, 已故, 去世, 失败, 失敗, 复发, 復發, 进展, 進展, 异常, 異常, 不正常,
        暴露, 治疗, 治療, 治疗组, 治療組, 干预, 干预组, 实验组, 實驗組, 试验组, 感染, 感染者, 受累, 事件,
        发生, 發生, 恶性, 惡性, 癌症, 癌, 突变, 突變, 突变型, 携带, 攜帶, 检出, 檢出, 吸烟, 吸煙, 吸烟者,
        抽烟, 怀孕, 懷孕, 妊娠, 住院, 受伤, 受傷, 并发症, 併發症, 严重, 嚴重, 重症, 有毒, 欺诈, 接种,
        已接种, 接種, 高, 升高, 差, 恶化, 惡化, 损坏, 故障, 活跃, 激活, 选中, 已选, 出血, 骨折, 糖尿病,
        确诊, 確診, 肥胖, 高血压,
        失业, 失業, 无效, 無效, 不合格, 不及格, 未通过
        """,
    "Japanese": """
        はい, あり, 有り, 有, ある, 真, 正, 陽性, 存在, 症例, 患者, 罹患, 発症, 発病, 病気, 疾患, 疾患群,
        患者群, 症例群, 死亡, 死, 死亡例, 亡, 失敗, 再発, 進行, 増悪, 異常, 異常あり, 曝露, 暴露, 治療,
        治療群, 介入, 介入群, 投与群, 実薬, 実薬群, 感染, 感染者, イベント, 発生, 悪性, 癌, がん, 変異,
        変異型, 保因者, 検出, 喫煙, 喫煙者, 喫煙あり, 吸う, する, した, 妊娠, 入院, 負傷, 合併症, 重症,
        重度, 有毒, 詐欺, 接種, 接種済, 接種済み, 高, 高い, 高値, 不良, 悪い, 悪化, 故障, 該当, 該当する,
        選択, 出血, 骨折, 肥満, 糖尿病, 高血圧,
        失業, 無職, 無効, 不合格
        """,
}
"""What happened, what is there, who is ill, who was exposed."""

OTHER_WORDS = {
    "English": """
        no, false, negative, seronegative, afebrile, aseptic, clean, rarely, seldom, hc, neg, absent,
        absence, control, controls, healthy, health, alive, living, live, survived, survive, survival,
        survivor, surviving, success, successful, succeeded, normal, placebo, sham, unexposed, untreated,
        unaffected, uninfected, none, never, censored, benign, wild type, wildtype, wt, undetected,
        undetectable, nonreactive, asymptomatic, discharged, recovered, recovery, cured, healed,
        remission, mild, edible, safe, genuine, legitimate, ham, retained, stayed, low, lowered,
        decreased, good, better, improved, intact, inactive, off, unchecked, not selected, disagree,
        disagreed, won, completed, completer, free, stable, standard, standard care, usual care,
        reference, baseline, well, unimpaired, euploid, comparator, controlled, lean, pass, passed,
        accepted, okay, ok, fine, background,
        employed, acquitted, on time, full term, improvement
        """,
    "German": """
        nein, falsch, negativ, abwesend, fehlend, kontrolle, kontrollgruppe, kontrollen, gesund, am leben,
        lebend, lebendig, lebt, uberlebt, uberlebend, uberlebende, uberlebender, erfolg, erfolgreich,
        normal, unauffallig, placebo, plazebo, scheinbehandlung, unbehandelt, keine, kein, keiner, keines,
        nie, niemals, zensiert, gutartig, benigne, wildtyp, asymptomatisch, symptomfrei, beschwerdefrei,
        entlassen, genesen, geheilt, remission, leicht, ungiftig, niedrig, tief, erniedrigt, gut,
        gebessert, verbessert, intakt, inaktiv, aus, unzutreffend, trifft nicht zu, referenz,
        nichtraucher, nichtraucherin, o b, ohne befund, stabil, rezidivfrei, weder noch,
        bestanden, erwerbstatig, berufstatig, punktlich, freigesprochen
        """,
    "French": """
        non, faux, negatif, seronegatif, absent, absence, temoin, temoins, controle, sain, saine,
        en bonne sante, bonne sante, vivant, en vie, survecu, survivant, survie, succes, reussite, normal,
        placebo, aucun, aucune, jamais, censure, benin, benigne, type sauvage, asymptomatique, sorti,
        gueri, guerison, remission, leger, comestible, bas, faible, bon, ameliore, intact, inactif,
        reference, indemne, stable, rien,
        employe, en emploi, reussi, recu, a l'heure
        """,
    "Spanish": """
        no, falso, negativo, seronegativo, ausente, ausencia, control, controles, testigo, sano,
        saludable, vivo, vive, con vida, sobrevivio, sobreviviente, superviviente, supervivencia,
        sobrevive, exito, normal, placebo, ninguno, ninguna, nunca, jamas, censurado, benigno,
        tipo silvestre, asintomatico, dado de alta, curado, recuperado, remision, leve, ligero,
        comestible, bajo, bueno, mejorado, mejoria, intacto, inactivo, referencia, estable, nada, libre,
        empleado, ocupado, aprobado
        """,
    "Italian": """
        no, falso, negativo, sieronegativo, assente, assenza, controllo, controlli, sano, in salute, vivo,
        vivente, in vita, sopravvissuto, sopravvive, sopravvivenza, successo, normale, placebo, nessuno,
        nessuna, mai, censurato, benigno, asintomatico, dimesso, guarito, guarigione, remissione, lieve,
        leggero, commestibile, basso, buono, migliorato, intatto, inattivo, riferimento, stabile, niente,
        esente,
        occupato, impiegato, promosso, in orario
        """,
    "Portuguese": """
        nao, falso, negativo, soronegativo, ausente, ausencia, controle, controlo, controles, saudavel,
        sadio, sao, vivo, com vida, sobreviveu, sobrevivente, sobrevivencia, sobrevida, sucesso, normal,
        placebo, nenhum, nenhuma, nunca, jamais, censurado, benigno, tipo selvagem, assintomatico,
        alta hospitalar, teve alta, curado, recuperado, remissao, leve, ligeiro, comestivel, baixo, bom,
        melhorou, intacto, inativo, referencia, estavel, nada, livre,
        empregado, ocupado, aprovado, no prazo
        """,
    "Dutch": """
        nee, neen, onwaar, onjuist, negatief, afwezig, controle, controlegroep, controles, gezond, levend,
        in leven, leeft, overleefd, overlevend, overlevende, overleving, succes, geslaagd, normaal,
        placebo, geen, nooit, gecensureerd, goedaardig, benigne, wildtype, asymptomatisch, ontslagen,
        genezen, hersteld, remissie, licht, mild, eetbaar, laag, verlaagd, goed, verbeterd, intact,
        inactief, uit, referentie, stabiel, niet, onbehandeld,
        werkend, werkzaam, op tijd
        """,
    "Polish": """
        nie, falsz, negatywny, ujemny, nieobecny, brak, nieobecnosc, kontrola, kontrolny, grupa kontrolna,
        zdrowy, zywy, zyje, przezyl, przezyla, zyjacy, ocalal, przezycie, sukces, powodzenie, prawidlowy,
        prawidlowo, normalny, norma, w normie, placebo, zaden, zadna, zadne, nigdy, cenzurowany, lagodny,
        typ dziki, bezobjawowy, wypisany, wyleczony, wyzdrowial, ozdrowienie, remisja, lekki, jadalny,
        niski, obnizony, dobry, poprawa, nienaruszony, nieaktywny, odniesienie, stabilny, niepalacy,
        zatrudniony, zatrudniona, pracujacy, zdany, zaliczony
        """,
    "Chinese": """
        否, 不, 不是, 错, 錯, 假, 无, 無, 没有, 沒有, 没, 未, 阴, 陰, 阴性, 陰性, 不存在, 对照, 對照,
        对照组, 對照組, 健康, 健康者, 健康人, 存活, 生存, 活, 活着, 在世, 幸存, 幸存者, 生存者, 成功,
        正常, 安慰剂, 安慰劑, 安慰剂组, 从不, 從不, 从未, 從未, 删失, 良性, 野生型, 无症状, 無症狀, 出院,
        康复, 康復, 痊愈, 治愈, 治癒, 缓解, 緩解, 轻度, 轻症, 可食用, 低, 降低, 好, 良好, 改善, 好转,
        完好, 未选中, 稳定, 稳定期, 常规治疗,
        就业, 就業, 在职, 有效, 合格, 及格, 通过
        """,
    "Japanese": """
        いいえ, なし, 無し, 無, ない, 無い, 偽, 誤, 陰性, 不在, 対照, 対照群, コントロール,
        コントロール群, 健康, 健常, 健常者, 健常群, 健康者, 生存, 生存例, 生, 存命, 生きている, 成功,
        正常, 異常なし, プラセボ, プラセボ群, 偽薬, しない, していない, 打ち切り, 良性, 野生型, 無症状,
        退院, 回復, 治癒, 完治, 寛解, 軽症, 軽度, 食用, 低, 低い, 低値, 良好, 良い, 改善, 未, 非該当,
        該当なし, 該当しない, 安定, 標準治療, 吸わない, 非喫煙者,
        就業, 就労, 有職, 有効, 合格
        """,
}
"""What did not happen, what is not there, who is well, who was not exposed."""

NEGATIONS = {
    "English": """
        no, not, non, never, without, lack of, absence of, free of, free from, did not, does not, do not,
        has not, have not, had not, was not, were not, is not, are not, didn't, doesn't, don't, wasn't,
        isn't, hasn't, haven't, didnt, doesnt, dont, hasnt, wasnt, isnt, no evidence of, no history of,
        negative for, non-
        """,
    "German": "kein, keine, keinen, keiner, keines, keinerlei, nicht, ohne, nie, niemals, frei von, nein",
    "French": """
        pas de, pas d, pas, sans, aucun, aucune, non, jamais, jamais de, ne, n a pas, n est pas,
        absence de
        """,
    "Spanish": "no, sin, ningun, ninguno, ninguna, nunca, jamas, libre de, ausencia de",
    "Italian": "no, non, senza, nessun, nessuno, nessuna, mai, assenza di, privo di, privo d",
    "Portuguese": "nao, sem, nenhum, nenhuma, nunca, jamais, ausencia de, livre de",
    "Dutch": "geen, niet, zonder, nooit, vrij van, nee",
    "Polish": "nie, bez, brak, zaden, zadnego, zadnej, nigdy, nigdy nie",
    "Chinese": "没有, 沒有, 从不, 從不, 从未, 從未, 不是, 未曾, 尚未, 没, 沒, 未, 无, 無, 非, 不",
    "Japanese": "未, 非, 無, 不",
}
"""What stands before a word and turns it round."""

NEGATIONS_BEHIND = {
    "English": "free, absent, negative, not present, not detected, never, no, false",
    "German": "frei, negativ, nicht vorhanden, fehlt, nein, nie, nicht",
    "French": "absent, negatif, non, jamais",
    "Spanish": "ausente, negativo, no, nunca",
    "Italian": "assente, negativo, no, mai",
    "Portuguese": "ausente, negativo, nao, nunca",
    "Dutch": "vrij, afwezig, negatief, nee, nooit, niet",
    "Polish": "nieobecny, ujemny, nie, brak",
    "Chinese": "阴性, 陰性, 否, 无, 無",
    "Japanese": "なし, 無し, ない, 無い, 無, していない, しなかった, せず, ではない, でない, 陰性",
}
"""What stands behind a word and turns it round."""

GLUED_NEGATIONS = {
    "English": "non, un",
    "German": "nicht, un",
    "French": "non",
    "Spanish": "no",
    "Italian": "non",
    "Portuguese": "nao",
    "Dutch": "niet, on",
    "Polish": "nie",
}
"""What a word begins with that is the opposite of the rest, such as "unexposed"."""

LETTER_PAIRS = "y n, j n, o n, s n, t n, t f, v f, w f, p n, + -, ○ ×, 〇 ×, ✓ ✗, x -"
"""Letters and signs that say something in pairs only, the event first."""

MISSING_WORDS = {
    "English": """
        unknown, missing, not known, not available, not applicable, not done, not tested, not asked,
        not assessed, not measured, not recorded, not reported, not stated, no answer, no data,
        no information, no response, don't know, do not know, unclear, undetermined, indeterminate,
        unsure, uncertain, refused, na, n/a, nan, null, other, others, maybe, equivocal, inconclusive,
        not specified, unspecified, dk
        """,
    "German": """
        unbekannt, fehlt, weiss nicht, keine angabe, k a, nicht bekannt, nicht erhoben, nicht untersucht,
        nicht beurteilbar, keine antwort, unklar, verweigert, sonstige, andere, vielleicht, fraglich
        """,
    "French": """
        inconnu, manquant, non connu, ne sait pas, nsp, non renseigne, non fait, non disponible,
        sans reponse, pas de reponse, indetermine, refus, autre, autres, peut etre
        """,
    "Spanish": """
        desconocido, faltante, no sabe, ns nc, ns, nc, no contesta, no aplica, no disponible, sin datos,
        sin respuesta, indeterminado, no consta, otro, otros, quizas
        """,
    "Italian": """
        sconosciuto, mancante, non noto, non so, non sa, non disponibile, non risponde, non applicabile,
        indeterminato, altro, altri, forse
        """,
    "Portuguese": """
        desconhecido, ignorado, faltante, nao sabe, nao informado, nao se aplica, sem resposta, sem dados,
        indeterminado, outro, outros, talvez
        """,
    "Dutch": """
        onbekend, ontbreekt, ontbrekend, weet niet, niet bekend, geen antwoord, niet van toepassing, nvt,
        geen gegevens, onduidelijk, geweigerd, anders, overig, misschien
        """,
    "Polish": """
        nieznany, nie wiem, brak danych, nie dotyczy, brak odpowiedzi, nieokreslony, odmowa, inny, inne,
        moze
        """,
    "Chinese": """
        未知, 不详, 不詳, 不明, 缺失, 不知道, 未检测, 未检查, 未做, 未报告, 不适用, 拒绝回答, 其他,
        无数据
        """,
    "Japanese": """
        不明, 未詳, わからない, 分からない, 無回答, 未測定, 未検査, 未実施, 欠測, 該当せず, その他, 不詳
        """,
}
"""What stands for a value that is not known."""


def words_in(lists: dict[str, str]) -> frozenset[str]:
    """Return the words of all languages.

    >>> sorted(words_in({"German": "ja, wahr", "Dutch": "ja, waar"}))
    ['ja', 'waar', 'wahr']
    """
    return frozenset(
        word for text in lists.values() for listed in text.split(",") if (word := " ".join(listed.split()))
    )
