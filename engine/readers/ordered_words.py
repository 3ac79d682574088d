"""Categories that have an order by their words: agreement, frequency, amount, grades and bands of numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice, pairwise

import numpy as np

from engine.errors import InvalidData
from engine.readers.missing_words import means_missing
from engine.table.dataset import Dataset
from engine.table.number_names import named_as_kinds
from engine.table.variable import MISSING_CODE, Kind, Variable
from engine.translation import N_, _
from engine.wording.notes import Note
from engine.wording.sentences import NUMBERS_HAVE_AN_ORDER

ORDER = "order"
"""Topic of the notes about categories that seem to have an order."""

_FEWEST, _MOST = 3, 15
# The patterns below take the square of what is longer, and no answer or band is.
_LONGEST = 200

# From low to high; words beside a bar have the same place.
_SCALES = """
strongly disagree|totally disagree|completely disagree|disagree strongly < disagree|mostly disagree <
somewhat disagree|slightly disagree|rather disagree < neither|neutral|neither agree nor disagree|
undecided < somewhat agree|slightly agree|rather agree < agree|mostly agree < strongly agree|
totally agree|completely agree|agree strongly
never < almost never|very rarely < rarely|seldom|hardly ever < occasionally < sometimes < often|
frequently|regularly < usually|very often|almost always|mostly < always
never < less than monthly|rarely|seldom|less than once a month < monthly|once a month|every month <
several times a month|a few times a month < weekly|once a week|every week <
several times a week|a few times a week < almost daily|daily or almost daily|almost every day|
nearly every day < daily|every day|once a day < several times a day
never < yearly|once a year|every year < monthly|once a month < weekly|once a week < daily|every day
never < monthly or less < 2-4 times a month|two to four times a month < 2-3 times a week|
two to three times a week < 4 or more times a week|four or more times a week
nie|niemals < selten|seltener|seltener als einmal im monat < monatlich|einmal im monat|einmal pro monat <
mehrmals im monat|mehrmals pro monat < wöchentlich|einmal pro woche|einmal in der woche <
mehrmals pro woche|mehrmals in der woche|mehrmals wöchentlich < fast täglich|fast jeden tag <
täglich|jeden tag|einmal am tag|einmal täglich < mehrmals täglich|mehrmals am tag
jamais < rarement|moins d'une fois par mois < tous les mois|une fois par mois <
plusieurs fois par mois < toutes les semaines|une fois par semaine < plusieurs fois par semaine <
presque tous les jours < tous les jours|chaque jour|une fois par jour < plusieurs fois par jour
nunca < raramente|rara vez|menos de una vez al mes < mensualmente|una vez al mes <
varias veces al mes < semanalmente|una vez a la semana|una vez por semana <
varias veces a la semana|varias veces por semana < casi todos los días <
diariamente|a diario|todos los días|una vez al día < varias veces al día
mai < raramente|meno di una volta al mese < mensilmente|una volta al mese|ogni mese <
più volte al mese < settimanalmente|una volta alla settimana|una volta a settimana|ogni settimana <
più volte alla settimana|più volte a settimana < quasi ogni giorno <
quotidianamente|giornalmente|ogni giorno|tutti i giorni|una volta al giorno < più volte al giorno
nunca < raramente|menos de uma vez por mês < mensalmente|uma vez por mês < várias vezes por mês <
semanalmente|uma vez por semana < várias vezes por semana < quase todos os dias <
diariamente|todos os dias|uma vez por dia < várias vezes por dia|várias vezes ao dia
nooit < zelden|minder dan één keer per maand|minder dan eens per maand <
maandelijks|één keer per maand|eens per maand < meerdere keren per maand <
wekelijks|één keer per week|eens per week < meerdere keren per week < bijna elke dag <
dagelijks|elke dag|één keer per dag < meerdere keren per dag
nigdy < rzadko|rzadziej niż raz w miesiącu < raz w miesiącu|co miesiąc < kilka razy w miesiącu <
raz w tygodniu|co tydzień < kilka razy w tygodniu < prawie codziennie < codziennie|raz dziennie <
kilka razy dziennie
никогда < редко|реже одного раза в месяц|реже раза в месяц < раз в месяц|ежемесячно <
несколько раз в месяц < раз в неделю|еженедельно < несколько раз в неделю < почти каждый день <
ежедневно|каждый день|раз в день < несколько раз в день
从不 < 很少 < 每月一次|每月 < 每月几次 < 每周一次|每周 < 每周几次 < 几乎每天 < 每天|每日|每天一次 < 每天几次
全くない|ない < めったにない < 月に1回|月1回|毎月 < 週に1回|週1回|毎週 < 週に数回 < ほとんど毎日 < 毎日
not at all|not < a little|a little bit|a bit|slightly < somewhat|some|moderately|fairly <
quite a bit|quite < very much|very|a lot|a great deal < extremely
not at all|never < rarely|seldom < some days|several days|a few days <
more than half the days|over half the days|more than half of the days|most days <
nearly every day|almost every day < every day|daily
überhaupt nicht|nie < selten < an einzelnen tagen|an einigen tagen|an manchen tagen <
an mehr als der hälfte der tage|an den meisten tagen < beinahe jeden tag|fast jeden tag <
jeden tag|täglich
jamais|pas du tout < rarement < plusieurs jours|certains jours|quelques jours <
plus de la moitié des jours|plus de la moitié du temps|la plupart des jours <
presque tous les jours < tous les jours|chaque jour
para nada|nunca|ningún día < rara vez < varios días|algunos días <
más de la mitad de los días|la mayoría de los días < casi todos los días < todos los días
per niente|mai < raramente < alcuni giorni|parecchi giorni <
più della metà dei giorni|oltre la metà dei giorni|la maggior parte dei giorni <
quasi ogni giorno|quasi tutti i giorni < ogni giorno|tutti i giorni
nenhuma vez|nunca < raramente < vários dias|alguns dias <
mais da metade dos dias|a maioria dos dias < quase todos os dias < todos os dias
helemaal niet|nooit < zelden < enkele dagen|verscheidene dagen|sommige dagen <
meer dan de helft van de dagen|de meeste dagen < bijna elke dag < elke dag
wcale|wcale nie|nigdy < rzadko < kilka dni|niektóre dni <
więcej niż połowę dni|ponad połowę dni|większość dni < prawie codziennie < codziennie
совсем нет|никогда|ни разу < редко < несколько дней <
более половины дней|больше половины дней|большинство дней < почти каждый день < каждый день|ежедневно
完全没有|完全不会|没有 < 几天|好几天|有些天 < 一半以上的天数|一半以上天数|大多数天 < 几乎每天 < 每天
全くない < 数日 < 半分以上 < ほとんど毎日 < 毎日
none of the time|at no time < a little of the time|hardly any of the time < some of the time <
less than half of the time < more than half of the time|a good bit of the time < most of the time <
all of the time
none < some|a few|few < many|a lot|most < all
without any difficulty|no difficulty < with some difficulty|some difficulty <
with much difficulty|much difficulty < unable|unable to do
definitely not|certainly not < probably not < maybe|possibly|perhaps|not sure|unsure <
probably|probably yes < definitely|certainly|definitely yes
no < maybe|possibly|perhaps|not sure|unsure|sometimes|partly|somewhat < yes
nein < vielleicht|manchmal|teilweise|teils < ja
non < peut-être|parfois|en partie < oui
no < tal vez|quizás|quizá|a veces|en parte < sí|si
no < forse|a volte|in parte < sì|si
não < talvez|às vezes|em parte < sim
nee < misschien|soms|deels < ja
nie < może|czasami|częściowo < tak
否|不是 < 可能|也许|有时 < 是
いいえ < たぶん|時々|どちらともいえない < はい
much worse < worse|somewhat worse|a little worse < same|the same|about the same|unchanged|no change <
better|somewhat better|a little better < much better
decreased|decrease < stable|unchanged|no change|same < increased|increase
underweight < normal|normal weight|healthy weight < overweight < obese|obesity
negative|neg < trace|equivocal|borderline|indeterminate|weakly positive|weak < positive|pos <
strongly positive
none|no < minimal|very mild < mild|slight|light < moderate < severe|strong < very severe|extreme|
very strong < life-threatening|life threatening|critical < fatal|death|lethal
very low|lowest < low < medium|middle|moderate|average|normal < high < very high|highest
very small < small < medium < large < very large
very poor|very bad < poor|bad < fair|average|satisfactory < good < very good < excellent
extremely dissatisfied|completely dissatisfied < very dissatisfied < dissatisfied <
somewhat dissatisfied|rather dissatisfied|fairly dissatisfied|slightly dissatisfied <
neutral|neither|neither satisfied nor dissatisfied <
somewhat satisfied|rather satisfied|fairly satisfied|slightly satisfied < satisfied < very satisfied <
extremely satisfied|completely satisfied
very unlikely < unlikely < neutral < likely < very likely
young < middle-aged|middle aged < old
trifft gar nicht zu|trifft überhaupt nicht zu|stimme gar nicht zu|stimme überhaupt nicht zu <
trifft nicht zu|stimme nicht zu < trifft eher nicht zu|stimme eher nicht zu|trifft wenig zu <
teils/teils|teils teils|weder noch|neutral|unentschieden < trifft eher zu|stimme eher zu < trifft zu|
stimme zu < trifft voll zu|trifft völlig zu|stimme voll zu|stimme voll und ganz zu|stimme völlig zu
nie|niemals < fast nie|sehr selten < selten < gelegentlich < manchmal < oft|häufig < meistens|sehr oft|
sehr häufig|fast immer < immer
keine|kein < leicht|gering < mittel|mäßig|mittelschwer < schwer|stark < sehr schwer|sehr stark <
lebensbedrohlich|lebensgefährlich < tödlich
sehr niedrig < niedrig < mittel < hoch < sehr hoch
sehr schlecht < schlecht < mittelmäßig|mittel < gut < sehr gut
sehr unzufrieden < unzufrieden < eher unzufrieden <
teils/teils|teils teils|neutral|weder noch|weder zufrieden noch unzufrieden < eher zufrieden < zufrieden <
sehr zufrieden
très insatisfait|très insatisfaite|pas du tout satisfait|pas du tout satisfaite <
insatisfait|insatisfaite|pas satisfait|pas satisfaite <
plutôt insatisfait|plutôt insatisfaite|peu satisfait|peu satisfaite|plutôt pas satisfait <
neutre|ni satisfait ni insatisfait < plutôt satisfait|plutôt satisfaite|assez satisfait|assez satisfaite <
satisfait|satisfaite < très satisfait|très satisfaite|tout à fait satisfait|tout à fait satisfaite
muy insatisfecho|muy insatisfecha|nada satisfecho|nada satisfecha < insatisfecho|insatisfecha <
poco satisfecho|poco satisfecha|algo insatisfecho < neutral|ni satisfecho ni insatisfecho <
algo satisfecho|algo satisfecha < satisfecho|satisfecha|bastante satisfecho|bastante satisfecha <
muy satisfecho|muy satisfecha
molto insoddisfatto|molto insoddisfatta|per niente soddisfatto|per nulla soddisfatto <
insoddisfatto|insoddisfatta < poco soddisfatto|poco soddisfatta|abbastanza insoddisfatto <
neutrale|né soddisfatto né insoddisfatto < abbastanza soddisfatto|abbastanza soddisfatta <
soddisfatto|soddisfatta < molto soddisfatto|molto soddisfatta
muito insatisfeito|muito insatisfeita|nada satisfeito < insatisfeito|insatisfeita <
pouco satisfeito|pouco satisfeita < neutro|indiferente|nem satisfeito nem insatisfeito <
satisfeito|satisfeita < muito satisfeito|muito satisfeita
zeer ontevreden|heel ontevreden < ontevreden < enigszins ontevreden|eerder ontevreden <
neutraal|niet tevreden en niet ontevreden|niet tevreden niet ontevreden <
enigszins tevreden|redelijk tevreden|eerder tevreden < tevreden < zeer tevreden|heel tevreden
bardzo niezadowolony|bardzo niezadowolona < niezadowolony|niezadowolona <
raczej niezadowolony|raczej niezadowolona < neutralny|neutralnie|ani zadowolony ani niezadowolony <
raczej zadowolony|raczej zadowolona < zadowolony|zadowolona < bardzo zadowolony|bardzo zadowolona
очень недоволен|совсем не удовлетворен < недоволен|не удовлетворен < скорее недоволен|скорее не удовлетворен <
нейтрально < скорее доволен|скорее удовлетворен < доволен|удовлетворен < очень доволен|полностью удовлетворен
非常不满意|很不满意 < 不满意 < 比较不满意 < 一般|中立 < 比较满意 < 满意 < 非常满意|很满意
非常に不満|とても不満 < 不満 < やや不満|どちらかといえば不満 < どちらともいえない|普通 <
やや満足|どちらかといえば満足 < 満足 < 非常に満足|とても満足
pas du tout d'accord < pas d'accord|plutôt pas d'accord < neutre|ni d'accord ni pas d'accord|
sans opinion < plutôt d'accord|d'accord < tout à fait d'accord
jamais < rarement < parfois|quelquefois|de temps en temps < souvent < toujours
aucun|aucune < léger|légère|faible < modéré|modérée|moyen|moyenne < sévère|grave|fort|forte|élevé|élevée <
très sévère|très grave < menaçant la vie|mettant en jeu le pronostic vital|critique < fatal|mortel
très faible < faible < moyen < élevé < très élevé
très mauvais < mauvais < moyen < bon < très bon
totalmente en desacuerdo|muy en desacuerdo < en desacuerdo < neutral|ni de acuerdo ni en desacuerdo|
indiferente < de acuerdo < totalmente de acuerdo|muy de acuerdo
nunca < casi nunca < rara vez|raramente < a veces|algunas veces < a menudo|con frecuencia|
frecuentemente|muchas veces < casi siempre < siempre
ninguno|ninguna < leve < moderado|moderada < grave|severo|severa < muy grave <
potencialmente mortal|riesgo vital|crítico < mortal|fatal
muy bajo < bajo|baja < medio|media < alto|alta < muy alto
muy malo < malo < regular < bueno < muy bueno
per niente d'accordo|fortemente in disaccordo < in disaccordo|poco d'accordo < neutrale|
né d'accordo né in disaccordo < abbastanza d'accordo|d'accordo < molto d'accordo|fortemente d'accordo|
completamente d'accordo
mai < quasi mai < raramente < qualche volta|a volte|talvolta < spesso < quasi sempre < sempre
nessuno|nessuna < lieve < moderato|moderata < grave|severo|severa < molto grave <
pericoloso per la vita|potenzialmente letale|critico < letale|fatale
molto basso < basso|bassa < medio|media < alto|alta < molto alto
discordo totalmente|discordo fortemente < discordo|discordo parcialmente < neutro|
nem concordo nem discordo|indiferente < concordo|concordo parcialmente < concordo totalmente|
concordo fortemente
nunca < quase nunca < raramente < às vezes|algumas vezes < frequentemente|muitas vezes < quase sempre <
sempre
nenhum|nenhuma < leve < moderado|moderada < grave < muito grave < risco de vida|ameaça à vida|crítico < fatal
muito baixo < baixo|baixa < médio|média < alto|alta < muito alto
helemaal mee oneens|zeer oneens|helemaal niet mee eens < mee oneens|oneens|niet mee eens < neutraal <
mee eens|eens < helemaal mee eens|zeer eens
nooit < bijna nooit < zelden < soms < vaak < meestal|bijna altijd < altijd
geen < licht < matig < ernstig < zeer ernstig < levensbedreigend < fataal|dodelijk
zeer laag < laag < gemiddeld|midden < hoog < zeer hoog
zdecydowanie się nie zgadzam|zdecydowanie nie < nie zgadzam się|raczej się nie zgadzam|raczej nie <
nie mam zdania|trudno powiedzieć|ani tak ani nie < raczej się zgadzam|zgadzam się|raczej tak <
zdecydowanie się zgadzam|zdecydowanie tak
nigdy < prawie nigdy < rzadko < czasami|czasem < często < prawie zawsze < zawsze
brak < łagodny|łagodna|łagodne|lekki|lekka|lekkie < umiarkowany|umiarkowana|umiarkowane <
ciężki|ciężka|ciężkie < zagrażający życiu|zagrażające życiu|zagrażająca życiu
bardzo niski < niski|niskie < średni|średnie < wysoki|wysokie < bardzo wysoki
非常不同意|完全不同意 < 不同意|比较不同意 < 一般|中立 < 同意|比较同意 < 非常同意|完全同意
从不|从来没有|从来不 < 很少|极少|几乎不 < 偶尔 < 有时 < 经常|常常 < 几乎总是 < 总是|一直
无 < 轻度|轻微 < 中度 < 重度|严重 < 极重度|危及生命 < 死亡
低 < 中 < 高
很差 < 差 < 一般 < 好 < 很好
全くそう思わない|まったくそう思わない|非常に反対 < そう思わない|あまりそう思わない|反対 <
どちらともいえない|どちらでもない < そう思う|ややそう思う|賛成 < 強くそう思う|とてもそう思う|非常に賛成
全くない|まったくない|全然ない|一度もない|ない < めったにない|ほとんどない|あまりない < たまに|まれに <
時々|ときどき < よくある|よく|しばしば|頻繁に < ほとんどいつも|たいてい < いつも|常に
なし < 軽度 < 中等度|中度 < 重度|高度 < 最重度|生命を脅かす < 死亡
全く当てはまらない|全くあてはまらない < 当てはまらない|あてはまらない <
あまり当てはまらない|あまりあてはまらない < どちらともいえない|どちらとも言えない <
やや当てはまる|ややあてはまる < 当てはまる|あてはまる < とても当てはまる|非常にあてはまる|とてもあてはまる
いいえ < どちらかといえばいいえ < どちらともいえない < どちらかといえばはい < はい
전혀|전혀 없음|전혀 안 함 < 거의 없음|거의 안 함|드물게 < 가끔|때때로 < 자주 < 항상|늘
전혀 그렇지 않다 < 그렇지 않다 < 보통이다|보통 < 그렇다 < 매우 그렇다
低い < 普通|中程度 < 高い
とても悪い < 悪い < 普通 < 良い < とても良い
никогда < почти никогда < редко < иногда < часто < всегда
нет|никакая|отсутствует < слабая|лёгкая|легкая < умеренная|средняя < сильная|тяжёлая|тяжелая <
жизнеугрожающая|угрожающая жизни
полностью не согласен|совершенно не согласен|категорически не согласен < не согласен <
скорее не согласен < нейтрально|и да и нет < скорее согласен < согласен <
полностью согласен|совершенно согласен
точно нет|определённо нет|определенно нет < нет < скорее нет|скорее нет чем да < и да и нет|нейтрально <
скорее да|скорее да чем нет < да < точно да|определённо да|определенно да
zdecydowanie nie < nie < raczej nie < ani tak ani nie|trudno powiedzieć < raczej tak < tak < zdecydowanie tak
auf keinen fall|ganz sicher nicht < nein < eher nein|eher nicht < teils/teils|unentschieden <
eher ja|eher schon < ja < auf jeden fall|ganz sicher
certainement pas|sûrement pas|pas du tout < non < plutôt non|probablement pas < peut-être <
plutôt oui|probablement < oui < certainement|sûrement|tout à fait
definitivamente no|seguro que no < no < más bien no|probablemente no < tal vez|quizás < más bien sí|
probablemente sí|probablemente < sí < definitivamente sí|seguro que sí
decisamente no < no < piuttosto no|più no che sì|probabilmente no < forse < piuttosto sì|più sì che no|
probabilmente sì < sì < decisamente sì
definitivamente não|com certeza não < não < provavelmente não < talvez < provavelmente sim < sim <
definitivamente sim|com certeza
zeker niet < nee < eerder niet|waarschijnlijk niet < misschien <
eerder wel|waarschijnlijk wel < ja < zeker wel
rozhodně ne|určitě ne < ne < spíše ne < spíše ano < ano < rozhodně ano|určitě ano
rozhodně nesouhlasím < nesouhlasím < spíše nesouhlasím < ani souhlasím ani nesouhlasím <
spíše souhlasím < souhlasím < rozhodně souhlasím
nikdy < zřídka|málokdy < občas|někdy < často < vždy
soha < ritkán < néha < gyakran < mindig
ei koskaan < harvoin < joskus|silloin tällöin < usein < aina
täysin eri mieltä < eri mieltä|jokseenkin eri mieltä < ei samaa eikä eri mieltä < samaa mieltä|
jokseenkin samaa mieltä < täysin samaa mieltä
instämmer inte alls|tar helt avstånd < instämmer inte < instämmer delvis < instämmer < instämmer helt
helt uenig < uenig|delvis uenig|litt uenig < verken enig eller uenig|hverken enig eller uenig <
enig|delvis enig|litt enig < helt enig
kesinlikle katılmıyorum < katılmıyorum < kararsızım < katılıyorum < kesinlikle katılıyorum
низкий|низкая < средний|средняя < высокий|высокая
aldri|aldrig < sjelden|sjældent|sällan < av og til|noen ganger|nogle gange|ibland < ofte|ofta < alltid|altid
asla|hiçbir zaman < nadiren < bazen < sık sık|sıklıkla < her zaman
"""
# Below a name for kinds, such as a batch, a school or a sector, these say which one.
_SCALES_OF_KINDS = """
infant < child < adolescent|teenager < young adult < adult < elderly|older adult|senior
first < second < third < fourth < fifth < sixth
xxs < xs < s < m < l < xl < xxl|2xl < xxxl|3xl
-|neg|negative|0 < (+)|+/-|±|trace < +|1+ < ++|2+ < +++|3+ < ++++|4+
zero|none|never < one|once < two|twice < three|three times < four|four times < five < six
null|keine|keiner|nie < eins|einer|ein|eine|einmal < zwei|zweimal < drei|dreimal < vier < fünf
zéro|aucun|aucune < un|une|une fois < deux|deux fois < trois|trois fois < quatre < cinq
cero|ninguno|ninguna < uno|una|una vez < dos|dos veces < tres|tres veces < cuatro < cinco
zero|nessuno|nessuna < uno|una|una volta < due|due volte < tre|tre volte < quattro < cinque
primary < secondary < tertiary
no schooling|none|no formal education < primary|primary school|elementary|elementary school <
less than high school|no high school|some high school|no degree|middle school <
secondary|secondary school|high school|high school graduate|high school diploma|ged|high school/ged <
some college|vocational|trade school < associate|associate degree|associate's degree <
college|college graduate|college degree|bachelor|bachelor's|bachelor degree|bachelor's degree|university|
undergraduate < master|master's|master's degree|graduate degree|graduate|graduate school|postgraduate|
advanced degree|professional degree < doctorate|doctoral degree|phd
kein abschluss|ohne abschluss|kein schulabschluss < grundschule < hauptschule|hauptschulabschluss|
volksschule < realschule|realschulabschluss|mittlere reife|mittlerer abschluss < fachabitur|
fachhochschulreife < abitur|gymnasium|matura|matur|hochschulreife < lehre|ausbildung <
fachhochschule|bachelor < universität|uni|hochschule|hochschulabschluss|studium|master < promotion|doktor
sans diplôme|aucun diplôme|aucun < primaire|école primaire < brevet|collège < cap|bep|cap/bep <
bac|baccalauréat|lycée|secondaire < bac+2 < bac+3|licence|université|supérieur < bac+5|master < doctorat
sin estudios|ninguno|ninguna < primaria|primarios|educación primaria < secundaria|eso|
educación secundaria < bachillerato|preparatoria|bachiller < técnico|formación profesional|fp <
universidad|universitaria|universitarios|universitario|licenciatura|grado < máster|maestría|posgrado|
postgrado < doctorado
nessun titolo|nessuno < elementare|licenza elementare|scuola elementare < licenza media|scuola media|
medie < diploma|scuola superiore|superiori|liceo < laurea|laurea triennale|università <
laurea magistrale|master < dottorato
sem escolaridade|analfabeto|nenhum < fundamental|ensino fundamental|primário < médio|ensino médio|
secundário < superior|ensino superior|graduação < pós-graduação|mestrado < doutorado
basisonderwijs|lagere school|lager onderwijs < vmbo|mavo < havo|mbo < vwo|hbo < wo|universiteit
podstawowe < gimnazjalne < zawodowe|zasadnicze zawodowe < średnie < licencjat|licencjackie <
wyższe|magister|magisterskie < doktorat
文盲|未上学 < 小学 < 初中 < 高中|中专 < 大专 < 本科|大学 < 硕士|研究生 < 博士
中学|中学校|中卒 < 高校|高等学校|高卒 < 短大|専門学校 < 大学|大卒 < 大学院
"""
_FIGURE = r"\d+(?:[.,]\d+)*(?:\s*[kK](?![^\W\d_]))?"
_CURRENCY = "[$£¥€]?"
# What is counted: "hours", "times a week", "€".
_UNIT = r"(?:\s*[$£¥€%]|\s*[^\W\d_]+\.?(?:\s+[^\W\d_]+){0,3}?)??"
_BAND = re.compile(
    rf"(?P<low>{_FIGURE})\s*{_CURRENCY}\s*(?:-|–|—|to|or|bis|oder|à|a|tot|do|до|至|~|〜|から)\s*{_CURRENCY}"
    rf"(?P<high>{_FIGURE})",
    re.IGNORECASE,
)
_BELOW = re.compile(
    r"(?:<=?|=<|≤|⩽|(?<![^\W\d_])(?:under|below|less than|fewer than|up to|unter|bis|weniger als|moins de"
    r"|moins d'|menos de|hasta|meno di|fino a|onder|minder dan|poniżej|mniej niż|do|até|менее|меньше|до))"
    rf"\s*{_CURRENCY}({_FIGURE})|({_FIGURE}){_UNIT}\s*(?:(?:or|and) (?:less|fewer|under|below|younger)"
    r"|(?:oder|und) (?:weniger|jünger)|(?:ou|et) moins|[oy] menos|[oe] meno|ou menos|(?:of|en) minder"
    r"|(?:lub|i) mniej|(?:и|или) (?:менее|меньше)|以下|以内|未満|未满|이하|미만)",
    re.IGNORECASE,
)
_ABOVE = re.compile(
    r"(?:>=?|=>|≥|⩾|(?<![^\W\d_])(?:over|above|more than|at least|from|über|ab|mehr als|mindestens|plus de"
    r"|plus d'|au moins|más de|al menos|più di|almeno|mais de|powyżej|ponad|więcej niż|boven|meer dan"
    r"|minstens|более|больше|свыше|от))"
    rf"\s*{_CURRENCY}({_FIGURE})|({_FIGURE}){_UNIT}\s*(?:\+|(?:or|and) (?:over|above|more|longer|older)"
    r"|(?:oder|und) (?:mehr|länger|älter)|(?:ou|et) plus|[oy] más|[oe] più|e oltre|[oe]u? mais"
    r"|(?:of|en) (?:meer|ouder|langer)|(?:lub|i) więcej|(?:и|или) (?:более|больше|старше)|以上|超|이상)",
    re.IGNORECASE,
)
_SINGLE = re.compile(rf"({_FIGURE})({_UNIT})", re.IGNORECASE)
_ONCE = re.compile(r"\b(?:once|einmal|une fois|una vez|una volta|uma vez|één keer)\b", re.IGNORECASE)
# "Less than an hour", "mehr als ein Jahr".
_ONE = re.compile(
    r"\b(than|als|de|di|dan|under|over|unter|über) (?:an?|one|einem?|einer?|une?|una|uno|uma?|één|een)\b"
    r"|(d')une?\b",
    re.IGNORECASE,
)
_NO_TIMES = frozenset(
    """
never none no nie niemals keine keiner keines jamais aucun aucune nunca ninguno ninguna mai
nessuno nessuna nenhum nenhuma nooit geen nigdy wcale никогда нет 从不 没有 无 なし
""".split()  # noqa: SIM905
) | {"not at all", "全くない"}
_EVERY_DAY = frozenset(
    {"every day", "daily", "jeden tag", "täglich", "tous les jours", "chaque jour", "todos los días",
     "ogni giorno", "tutti i giorni", "todos os dias", "elke dag", "dagelijks", "codziennie",
     "каждый день", "ежедневно", "每天", "毎日"}
)  # fmt: skip
# How many hours a unit has.
_HOURS = {
    re.compile(rf"(?<![^\W\d_])(?:{words})(?![^\W\d_])", re.IGNORECASE): hours
    for words, hours in (
        (r"min(?:s|ute|utes|uten|utos?|uti|uto|uut|uuty?)?|минут[аы]?", 1 / 60),
        (r"h|hrs?|hours?|stunden?|std|heures?|horas?|or[ae]|uur|godzin[ay]?|час(?:а|ов)?", 1.0),
        (r"days?|tage?n?|jours?|días?|giorn[oi]|dias?|dag(?:en)?|dni|dzień|дн(?:я|ей)|день", 24.0),
        (r"weeks?|weken|wochen?|semaines?|semanas?|settiman[ae]|tygod\w+|недел\w+", 168.0),
        (r"months?|monate?n?|mois|mes(?:es)?|mes[ei]|mês|maand(?:en)?|miesi\w+|месяц\w*", 730.0),
        (r"years?|yrs?|jahre?n?|ans?|années?|años?|ann[oi]|anos?|jaar|rok|lata?|лет|год[а]?", 8766.0),
    )
}
_OF_A_TIME = re.compile(r"\b(?:times?|mal|fois|ve(?:z|ces|zes)|volt[ae]|keer|razy?|раза?)\b", re.IGNORECASE)
_GRADES = "ABCDEF"
_ROMAN_OF = re.compile(
    r"(?:stage|stadium|stade|grade|class|nyha|estadio|stadio|期|grad|child(?:[- ]pugh)?|bclc|asia|ecog|gold"
    r"|ccs|killip|m?mrc|asa|rankin|mrs|tanner|fontaine|ckd|level|niveau|stufe|nivel|livello|poziom|quartile"
    r"|quintile|tertile)[\s-]*",
    re.IGNORECASE,
)


def _scales(lines: str) -> tuple[dict[str, int], ...]:
    scales = []
    text = re.sub(r"([|<])\n", r"\1 ", lines.strip())
    for line in text.split("\n"):
        places = enumerate(line.split("<"))
        scales.append({_plain(word): place for place, words in places for word in words.split("|")})
    return tuple(scales)


def _plain(word: str) -> str:
    text = word.casefold().replace("’", "'").replace("_", " ").replace(",", " ")
    return " ".join(_AROUND_WORDS.sub("", text).split())


# "3 = often", "three or more".
_AROUND_WORDS = re.compile(
    r"^\s*[(\[]?\d+\s*[)\].:=-]\s*(?=\S)|[.!?]+$"
    r"|\s+(?:or more|and more|or over|and above|oder mehr|und mehr|ou plus|et plus|o más|y más|o più|e più"
    r"|ou mais)$"
)
_DEGREES = _scales(_SCALES)
_BY_WORD = (*_DEGREES, *_scales(_SCALES_OF_KINDS))


@lru_cache(maxsize=1024)
def proposed_order(levels: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return categories from low to high where their words say it; None where they do not.

    >>> proposed_order(("often", "never", "sometimes"))
    ('never', 'sometimes', 'often')
    >>> proposed_order(("30-39", "under 30", "40-49", "50+"))
    ('under 30', '30-39', '40-49', '50+')
    >>> proposed_order(("red", "green", "blue")) is None
    True
    """
    present = list(islice((level for level in levels if not means_missing(level)), _MOST + 1))
    if not _FEWEST <= len(present) <= _MOST or max(map(len, present)) > _LONGEST:
        return None
    places = _by_words(present) or _by_bands(present) or _by_grades(present) or _by_points(present)
    if places is None:
        return None
    ranked = sorted(present, key=lambda level: places[level])
    return (*ranked, *(level for level in levels if level not in places))


def _by_words(
    levels: Sequence[str], scales: Sequence[Mapping[str, int]] = _BY_WORD
) -> dict[str, float] | None:
    words = {level: _plain(level) for level in levels}
    # "No pain" < "mild pain" < "severe pain" have their last word in common.
    last = {text.rpartition(" ")[2] for text in words.values()}
    adjectives = {level: text.rpartition(" ")[0] for level, text in words.items()}
    of_adjectives = _places_on_a_scale(adjectives, scales) if len(last) == 1 else None
    return _places_on_a_scale(words, scales) or of_adjectives


def _places_on_a_scale(
    words: Mapping[str, str], scales: Sequence[Mapping[str, int]] = _BY_WORD
) -> dict[str, float] | None:
    for scale in scales:
        if all(word in scale for word in words.values()):
            places = {level: float(scale[word]) for level, word in words.items()}
            if len(places) == len(set(places.values())):
                return places
    return None


def _by_bands(levels: Sequence[str]) -> dict[str, float] | None:
    """Order bands of numbers, such as 30-39 and 50+, that do not overlap."""
    bounds: dict[str, tuple[float, float]] = {}
    scale = _scale_of_units(levels)
    units: set[str] = set()
    numbers = bands = 0
    for level in levels:
        text = _in_figures(level)
        plain = _plain(level)
        if plain in _NO_TIMES:
            low = high = -np.inf
        elif plain in _EVERY_DAY:
            low = high = np.inf
        elif match := _BAND.search(text):
            low, high = _figure(match["low"]), _figure(match["high"])
            if low < _THOUSAND <= high and match["high"].strip()[-1] in "kK" and level.count("k") == 1:
                low *= _THOUSAND
            bands += 1
        elif match := _ABOVE.search(text):
            low, high = _figure(match[1] or match[2]), np.inf
        elif match := _BELOW.search(text):
            low, high = -np.inf, _figure(match[1] or match[2])
        elif match := _SINGLE.fullmatch(text):
            low = high = _figure(match[1])
            units.add(match[2].strip().casefold()[:_START_OF_UNIT])
            numbers += 1
        else:
            return None
        if not low <= high or scale is None:
            return None
        bounds[level] = (low * scale.get(level, 1.0), high * scale.get(level, 1.0))
    if len(units) > 1 or (bands < 1 and not 1 < numbers < len(levels) <= _MOST_COUNTED):
        return None
    ranked = sorted(bounds.values())
    if len(set(ranked)) < len(ranked) or any(after[0] < before[1] for before, after in pairwise(ranked)):
        return None
    return {level: ranked.index(bound) for level, bound in bounds.items()}


_THOUSAND = 1000.0
# "0", "1", "2" and "3 or more"; of many numbers one that is open is a limit.
_MOST_COUNTED = 7
# "Ora" and "ore", "год" and "года": the endings differ.
_START_OF_UNIT = 2


def _in_figures(level: str) -> str:
    return _ONE.sub(r"\1\2 1", _ONCE.sub("1 time", level))


def _scale_of_units(levels: Sequence[str]) -> dict[str, float] | None:
    """Return factors for levels in several units of time; None where they do not compare."""
    texts = {
        level: _in_figures(level)
        for level in levels
        if (plain := _plain(level)) not in _NO_TIMES and plain not in _EVERY_DAY
    }
    hours = {
        level: {hours for unit, hours in _HOURS.items() if unit.search(text)} for level, text in texts.items()
    }
    # "Hours a day", "days a week".
    common = set.intersection(*hours.values()) if hours else set()
    if len(set().union(*hours.values()) - common) < 2:
        return {}
    are_rates = {bool(_OF_A_TIME.search(text)) for text in texts.values()}
    if len(are_rates) > 1 or any(len(hours_of_level - common) != 1 for hours_of_level in hours.values()):
        return None
    power = -1 if True in are_rates else 1
    return {level: (hours_of_level - common).pop() ** power for level, hours_of_level in hours.items()}


def _figure(text: str) -> float:
    """Read a bound of a band, which may have marks of thousands or stand for them, as 10k; NaN of 1.10.2."""
    bare = text.strip().rstrip("kK").strip()
    bare = re.sub("[.,]", "", bare) if _GROUPED.fullmatch(bare) else bare.replace(",", ".")
    number = math.nan if bare.count(".") > 1 else float(bare)
    return number * (_THOUSAND if text.strip()[-1] in "kK" else 1.0)


_GROUPED = re.compile(r"[1-9]\d{0,2}(?:[.,]\d{3})+")


def _by_grades(levels: Sequence[str]) -> dict[str, float] | None:
    bare = {level: _ROMAN_OF.sub("", level).strip() for level in levels}
    if bare == {level: level for level in levels} and set(levels) <= set("ABCDEF"):
        # Letters alone may name groups.
        return None
    if set(bare.values()) <= set(_GRADES) and len(set(bare.values())) == len(levels):
        return {level: float(_GRADES.index(grade)) for level, grade in bare.items()}
    return _by_numbers(levels, bare)


def _by_points(levels: Sequence[str]) -> dict[str, float] | None:
    """Order the points of a partly named scale, such as "1 - never", 2, 3 and "4 - often"."""
    words = [level for level in levels if not level[:1].isdecimal()]
    if (
        len(words) == _NAMED_ENDS
        and len(levels) > _FEWEST
        and (ends := _places_on_a_scale({level: _plain(level) for level in words}))
    ):
        low, high = sorted(words, key=lambda level: ends[level])
        numbers = [level for level in levels if level.isdecimal()]
        if len(numbers) == len(levels) - _NAMED_ENDS:
            return {low: -np.inf, high: np.inf} | {level: float(level) for level in numbers}
    points = {level: match for level in levels if (match := _POINT.fullmatch(level))}
    bare = sum(map(str.isdecimal, levels))
    if len(points) < len(levels) or not (
        0 < bare < len(levels) or all(point["th"] for point in points.values())
    ):
        return None
    if len({point["name"] for point in points.values() if point["th"]}) > 1:
        return None
    places = {level: float(point["point"]) for level, point in points.items()}
    return places if len(set(places.values())) == len(levels) else None


_POINT = re.compile(
    r"(?P<point>\d{1,2})(?P<th>st|nd|rd|th|º|ª|er|re|ère|ème|e|de|ste)?"
    r"(?:(?:\s*[-–=:.)(]\s*|\s+)(?P<name>[^\W\d].*))?",
    re.IGNORECASE,
)
_NAMED_ENDS = 2

_ROMAN = ("I", "II", "III", "IV", "V", "VI")
# Behind a word such as ASA or Killip; behind a type or a group they tell kinds apart.
_ROMAN_NUMBER = re.compile(r"(?:(?P<word>[^\W\d]+?)[ _.-]+)?(?P<number>III|II|IV|VI|I|V)(?P<part>[a-cA-C]?)")
# Of the TNM classification, clinical or of the pathologist, and behind a word for stages.
_STAGE = re.compile(r"(?P<word>[cpCP]?T|[cpCP]?N|G)(?P<number>[0-4])(?P<part>[a-dA-D]?)")
_NUMBERED_STAGE = re.compile(
    rf"(?P<word>{_ROMAN_OF.pattern})(?P<number>[0-9])(?P<part>[a-d]?)", re.IGNORECASE
)
_KINDS = re.compile("typ|type|tipo|group|gruppe|groupe|grupo|gruppo|arm|factor|faktor", re.IGNORECASE)


def _by_numbers(levels: Sequence[str], bare: Mapping[str, str]) -> dict[str, float] | None:
    """Order numbers of stages behind one word or none, such as ASA II, Stadium IIIa, T1b or grade 2."""
    for pattern, texts in (
        (_ROMAN_NUMBER, {level: text.strip(" _.-") for level, text in bare.items()}),
        (_STAGE, bare),
        (_NUMBERED_STAGE, {level: level for level in levels}),
    ):
        numbers = {level: match for level in levels if (match := pattern.fullmatch(texts[level]))}
        words = {(number_match["word"] or "").strip().casefold() for number_match in numbers.values()}
        if len(numbers) < len(levels) or len(words) > 1 or any(map(_KINDS.fullmatch, words)):
            continue
        places = {
            level: _place_of(number_match["number"])
            + "abcd".find(number_match["part"].lower() or "-") / 5
            + 0.2
            for level, number_match in numbers.items()
        }
        if len(set(places.values())) == len(levels):
            return places
    return None


def _place_of(number: str) -> int:
    return int(number) if number.isdecimal() else _ROMAN.index(number) + 1


def order_of_codes(levels: Sequence[str]) -> tuple[str, ...] | None:
    """Return categories in the order of their codes, from low to high; None where no word speaks for it.

    The first and the last stand on one scale, and those between do not contradict it.

    >>> order_of_codes(["weekly", "monthly", "twice a year", "never"])
    ('never', 'twice a year', 'monthly', 'weekly')
    >>> order_of_codes(["Austria", "Belgium", "Chile"]) is None
    True
    """
    present = [level for level in levels if not means_missing(level)]
    if not _FEWEST <= len(present) <= _MOST or max(map(len, present)) > _LONGEST:
        return None
    words = list(map(_plain, present))
    if {words[0], words[-1]} <= _YES_OR_NO:
        return None
    for scale in _DEGREES:
        places = [scale[word] for word in words if word in scale]
        if words[0] in scale and words[-1] in scale and abs(places[-1] - places[0]) > 1:
            steps = np.diff(places)
            if (steps > 0).all() or (steps < 0).all():
                ranked = present if steps[0] > 0 else present[::-1]
                return (*ranked, *(level for level in levels if level not in present))
    return None


_YES_OR_NO = frozenset(
    "yes no ja nein oui non sí si não sim nee nie tak ano ne да нет 是 否 はい いいえ".split()  # noqa: SIM905
)


def note_on_coded_order(name: str, levels: Sequence[str]) -> Note | None:
    """Say that categories seem to have the order of their codes; None where words alone say it."""
    order = order_of_codes(levels)
    if order is None or proposed_order(tuple(levels)) is not None:
        return None
    return Note(ORDER, _(_SEEM_ORDERED, name=name, levels=" < ".join(order[:_MOST])), name)


def note_on_order(variable: Variable) -> Note | None:
    """Say that the categories of a column seem to have an order; None where they do not, or have it."""
    if variable.kind is Kind.CONTINUOUS or variable.ordered:
        return None
    order = proposed_order(variable.levels)
    if order is None:
        return None
    present = [level for level in variable.levels if not means_missing(level)]
    # "I am satisfied with my job" names no jobs where its answers are never to always.
    if named_as_kinds(variable.name) and not _by_words(present, _DEGREES):
        return None
    message = _(_SEEM_ORDERED, name=variable.name, levels=" < ".join(order[:_MOST]))
    return Note(ORDER, message, variable.name)


_SEEM_ORDERED = N_(
    "The categories of column '{name}' seem to have an order: {levels}. They are read without it."
)


def with_proposed_order(dataset: Dataset, names: Iterable[str]) -> Dataset:
    """Give the categories of some columns the order that their words say; others keep their order."""
    changed = {}
    for name in names:
        variable, column = dataset.variable(name), dataset.column(name)
        if variable.kind is Kind.CONTINUOUS:
            raise InvalidData(
                _(NUMBERS_HAVE_AN_ORDER),
                place=_("column '{name}'", name=name),
                remedy=_("Leave it out of the ordered columns."),
            )
        levels = proposed_order(variable.levels) or order_of_codes(variable.levels) or variable.levels
        codes = np.array([*(levels.index(level) for level in variable.levels), MISSING_CODE])
        changed[name] = (replace(variable, levels=levels, ordered=True), codes[column])
        dataset = dataset.without_notes(ORDER, name)
    return dataset.with_columns(changed) if changed else dataset
