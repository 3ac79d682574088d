"""Words that names of identifiers are made of, in ten languages and a few more: small letters, no accents."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


SAY_SO = _words(
    """
    id idx uid uuid guid pid eid iid fid sid mrn ssn nhs cpf nif dni nie pesel bsn emr ehr identifier
    identification identity identifikation identifikator identifikationsnummer kennung kennnummer
    kennziffer ident identifiant matricule identificador identificacion identificativo identificacao
    identyfikator identificatie idno idnr idnum subjid usubjid patid ptid caseid rowid recordid uniqueid
    barcode accession seqn pidp matrikelnummer aktenzeichen fallnummer patientennummer probandennummer
    personennummer versichertennummer persoonsnummer patientnummer dossiernummer rownames rowname
    serialno serialnr serialnum serialnumber numerodeserie numerodiserie refno refnr refnumber referenceno
    referencenumber tagno tagnumber animaltag wellno wellnumber
    oib tckn tckimlik kennitala henkilotunnus isikukood jmbg rodnecislo aadhaar snils снилс енп инн
    """
)
"""Words that say by themselves that something is named."""
PERSON = _words(
    """
    participant respondent subject subj patient person proband respondentnr teilnehmer
    teilnehmerin patientin versuchsperson vp pat participante sujeto paciente encuestado soggetto paziente
    partecipante rispondente repondant sujet sujeito inquirido deelnemer proefpersoon respondente uczestnik
    pacjent respondenci badany osoba prontuario expediente donor spender donneur donante donatore doador dawca
    пациент испытуемый респондент участник больной hasta katilimci denek
    eartag ohrmarke crotal marcaauricolare oormerk kolczyk treetag ipaddress ipadresse adresseip direccionip
    """
)
"""Whole names that do, unless they stand beside other words."""
ROW = _words(
    """
    index row rows no nr number num record key rownr rowno case caseno fall cas caso nummer numero lfd lp
    """
)
"""Likewise of rows, where all values differ."""
NUMBER = _words("no nr num number nummer numero numer n code codice codigo cod kod kodu key nro serial")
"""Words for a number that is one of somebody or something."""
NEVER_A_COUNT = ("nummer", "numer", "номер")
"""Endings of words for such a number that no count is called by."""
COUNT = _words("n no num number")
"""Words that also say how many there are, before what is counted."""
CONTACT = _words(
    """
    phone telephone telefon telefono telefone telefoon telefonu handy tel mobile mobil mobiel movil
    celular cellulare telemovel telefonino portable gsm komorka email mail courriel correo
    """
)
"""Where somebody can be reached."""
COUNTED = _words("of von der")
"""How many there are, and not which one."""
BESIDE = _words("de do da du des del della dello di van the of der des la el le")
"""Words without a meaning of their own."""
OF_WHOM = _words(
    """
    unique patient pat pt subject subj sub sbj participant part person case respondent resp record rec row
    study sample specimen hospital admission medical chart file member client customer student pupil child
    animal mouse household hh family survey interview questionnaire form response sequence serial account
    fam secu securite seguridad passport insurance lab tube food product item device tree plant fish bird
    phone
    proband fall teilnehmer versuchsperson vp personen patienten probanden
    schueler kind fragebogen studien proben haushalt akten versicherten laufende lfd sujet dossier malade
    enquete menage eleve ordre sujeto paciente caso expediente encuesta historia hogar muestra orden
    soggetto paziente cartella cartelle questionario campione ordine sujeito processo prontuario inquerito
    amostra ordem deelnemer proefpersoon respondent huishouden monster volg uczestnik uczestnika pacjent
    pacjenta badanego osoby ankiety probki
    """
)
"""Whom or what a number is of."""
OF_WHOM_BEGINS = tuple(
    """
    patient pasient pazient pacient pacjent probande teilnehm particip respond uczestni ewidencyj histori
    ankiet aufnahme registr rejestr ubezpiecz versicher deelnem enrol randomi screening membre utente
    aliquot tessera badan chorob ksieg karty карт истори пациент больн hasta protokol fiscal nosologic
    assist carnet kimlik ficha cedula enregistr inscri beneficiari mitglied
    """.split()  # noqa: SIM905
)
"""Beginnings of words for them that no short word is mistaken for."""
MAY_SAY = _words(
    """
    ids participants nir ipp nip rut hcn nhc nss nuss curp rfc kvnr nda regon specimen aliquot tube
    vial folio dossier cedula ficha legajo tessera pseudonym chiffre vorgang registro cartella teczka
    akte pratica kartoteka badanie historia dossiernr prontuario expediente processo matricula sample
    samples probe probennummer echantillon muestra campione amostra monster probka ref boleta
    """
)
"""Whole names or last words that name somebody, or something else: the values decide."""
CLUSTER = _words(
    """
    household hh family families pair pairs twin twins litter sibship siblings dyad couple cluster pedigree
    kindred cage nest haushalt haushalte familie familien paar paare zwilling zwillinge zwillingspaar wurf
    kafig kaefig geschwister menage foyer famille paire jumeaux portee fratrie hogar familia vivienda
    pareja par gemelos camada jaula nucleo famiglia coppia gemelli nidiata cucciolata gabbia domicilio
    agregado casal gemeos ninhada gaiola huishouden huishoudens gezin koppel tweeling worp kooi gospodarstwo
    ehepaar tweelingpaar rodzina para blizniaki blizniata miot klatka семья пара помет hane aile cift
    hushall husstand familj matchedset matchset caseset riskset
    village dorf pueblo aldea villaggio aldeia dorp wies wioska koy деревня село
    plot parzelle parcelle parcela particella perceel dzialka parsel участок
    farm bauernhof hof ferme granja fattoria fazenda boerderij ferma herd herde troupeau rebano mandria
    rebanho kudde stado flock colony hive tank aquarium clutch brood shoal kolonie colonie colonia
    animal tier animales animali animais dier zwierze hayvan mouse maus souris raton topo rato muis mysz
    rat ratte rata ratto szczur cow kuh vache vaca vacca koe krowa inek sheep schaf mouton oveja pecora ovelha
    pig schwein porc cochon cerdo maiale suino porco varken swinia domuz piglet ferkel calf kalb lamb
    tree baum arbre arbol albero arvore boom drzewo agac
    """
)
"""Whole names of what binds rows together, though no person is named: the values decide too."""
BESIDE_CLUSTER = _words(
    "matched matching familiar familiare domowe domestico domestica twin code codigo cod kod nr no"
)
EAST_ASIAN_CLUSTER = (
    "世帯|家族|家庭|家系|夫婦|夫妻|双子|双生児|双胞胎|双子ペア|ペア|"
    "配对|配對|对子|同腹|ケージ|住户|住戶|户|窝|笼|村|村庄|樹木|树|样地|小区|区画|牧場|农场|动物|動物|小鼠|マウス|ラット|大鼠"
)
SHARED = _words(
    """
    school teacher tutor classroom practice clinic hospital doctor physician gp surgeon nurse midwife
    therapist counsellor counselor coach interviewer rater examiner operator shop company kindergarten daycare
    municipality parish neighbourhood neighborhood quarter town city
    schule lehrer lehrerin lehrkraft klasse praxis arzt aerztin arztin chirurg chirurgin therapeut therapeutin
    hebamme interviewerin betrieb firma kita gemeinde ortschaft stadtteil viertel pflegeheim
    ecole enseignant enseignante professeur maitresse instituteur institutrice classe cabinet clinique hopital
    medecin chirurgien chirurgienne infirmiere infirmier enqueteur enquetrice commune quartier creche
    entreprise escuela colegio maestro maestra profesor profesora docente aula consultorio clinica hospital
    medico medica cirujano cirujana enfermera enfermero encuestador encuestadora municipio barrio empresa
    scuola insegnante classe ambulatorio ospedale chirurgo chirurga infermiera infermiere intervistatore
    comune quartiere asilo azienda
    escola colegio professor professora turma consultorio cirurgiao cirurgia enfermeira enfermeiro
    entrevistador entrevistadora freguesia bairro creche
    leerkracht leraar lerares juf klas praktijk huisarts arts ziekenhuis verpleegkundige enqueteur gemeente
    wijk buurt kinderdagverblijf bedrijf
    szkola nauczyciel nauczycielka przychodnia szpital lekarz lekarka chirurg pielegniarka ankieter ankieterka
    gmina osiedle przedszkole klasa firma szkoly przychodni szpitala lekarza nauczyciela gminy
    школа школы учитель учителя учительница класс клиника клиники больница больницы врач врача хирург хирурга
    медсестра интервьюер район село поликлиника
    okul ogretmen sinif hastane hekim doktor cerrah hemsire mahalle ilce
    skola larare klass vardcentral sjukhus lakare kommun skole laerer laege kommune sykehus koulu opettaja
    luokka sairaala laakari kunta obec ucitel ucitelka skola trida nemocnice lekar
    """
)
"""First or last words of names of people and places that several rows share, however many rows each has."""
BESIDE_SHARED = _words("name names namen nom nombre nome naam nazwa nazwisko имя название title")
ENDS_OF_SHARED = tuple("schule lehrer lehrerin praxis arzt klinik school skola skole".split())  # noqa: SIM905
"""Last parts of such words in languages that write several as one."""
BESIDE_OTHER = _words(
    "type types typ typen tipo tipos kind kinds art form forma subject fach category kategorie"
)
"""Beside such a word these name a kind."""
EAST_ASIAN_SHARED = (
    "学校|教室|先生|教師|教员|教員|老师|老師|班级|班級|学级|病院|医院|診療所|诊所|医師|医生|医者|看護師|护士"
    "|町|自治体|社区|街道"
)
RANK = _words(
    """
    rank ranking ranks rang rangnummer rangplatz rangfolge platz platzierung position place finish rango
    puesto posicion clasificacion posizione classifica posto posicao colocacao classificacao rangorde plaats
    positie miejsce pozycja ranga
    classement место ранг sira siralama
    """
)
"""First or last words of names that say where somebody stands among all."""
EAST_ASIAN_RANK = "順位|排名|名次|位次|ランク"
MEASURED = _words(
    "ms sec secs s min density reads depth peak signal intensity duration ratio level concentration volume "
    "area budget turnover sales umsatz steps calories dose count counts titer titre"
)
"""Last words of what is measured, behind a word that names somebody otherwise."""
REMARK = _words(
    """
    comment comments note notes remark remarks freetext notiz notizen bemerkung bemerkungen
    kommentar kommentare anmerkung anmerkungen freitext remarque remarques commentaire commentaires
    nota notas comentario comentarios observacion observaciones comentários observacoes osservazione
    osservazioni commento commenti opmerking opmerkingen uwaga uwagi komentarz poznamka poznamky
    anmärkning примечание примечания комментарий 备注 备考 備考 コメント 비고
    """
)
"""Last words of names of what somebody wrote down about a row."""
TIME = _words(
    """
    visit visits visitnum visitno timepoint time wave event session occasion round phase followup day week
    month year besuch termin visite messzeitpunkt zeitpunkt zeit welle tag woche monat jahr temps vague
    semaine mois jour année suivi visita tiempo momento ronda onda semana mes día dia año tempo settimana
    mese giorno anno rilevazione consulta mês ano meting tijd ronde bezoek maand dag jaar wizyta pomiar czas
    fala tydzień miesiąc dzień rok 访视 时间 回 時点 時期
    """
)
"""First or last words of names that tell the rows of a person apart."""
