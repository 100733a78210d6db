"""Words that say nothing about what a text is about, question words included, by language.

A language that is not listed has none: there the rarity of words has to do.
"""

ENGLISH = """
a about after again all also am an and any are aren as at be because been before being between both
but by can could couldn d did didn do does doesn doing don during each few for from further had hasn
has have haven having he her here hers him his how i if in into is isn it its just ll m me might
more most my myself no nor not of off on once only or other our ourselves out over own re s same she
should so some such t than that the their them then there these they this those through to too under
until up ve very was wasn we were what when where which while who whom why will with would you your
yourself
"""
GERMAN = """
aber alle allem allen aller als also am an auch auf aus bei bin bis bist da damit dann das dass dein
deine dem den der des dich die dir doch dort du durch ein eine einem einen einer eines er es etwas
euch euer für gegen gewesen hab habe haben hat hatte hatten hier hinter ich ihm ihn ihnen ihr ihre
im in ist ja jede jedem jeden jeder jedes kann kein keine können machen man mein meine mich mir mit
muss nach nicht nichts noch nun nur ob oder ohne sehr sein seine sich sie sind so soll über um und
uns unser unter vom von vor wann war waren warum was weil welche welchem welchen welcher welches wem
wen wenn wer werde werden wie wieder will wir wird wo wohin woher würde zu zum zur zwischen
"""
FRENCH = """
à ai as au aux avec avait avez avons c ce ces cet cette combien comme comment d dans de des du elle
elles en es est et étaient était être eu eux fait fut ici il ils j je l la le les leur leurs lui m
ma mais me même mes moi mon n ne nos notre nous on ont ou où par pas plus pour pourquoi qu quand que
quel quelle quelles quels qui quoi s sa sans se sera ses si son sont suis sur t ta te tes toi ton tu
un une vos votre vous y
"""
SPANISH = """
a adónde al algo algunas algunos ante antes aquí como cómo con contra cuál cuáles cuándo cuando
cuánto cuántos de del desde donde dónde durante e el él ella ellas ellos en entre era eran es esa
esas ese eso esos esta está están estas este esto estos fue fueron ha había han has hasta hay he la
las le les lo los más me mi mí mis mucho muy nada ni no nos nosotros nuestra nuestro o os otra otro
para pero por porque qué que quién quien se ser si sí sin sobre son soy su sus también tan te tengo
ti tiene todo tu tú tus un una uno unos y ya yo
"""
ITALIAN = """
a ad agli ai al alla alle allo anche avere aveva c che chi ci come con cosa cui da dagli dai dal
dalla dalle dallo de degli dei del dell della delle dello di dove e è ed era erano essere fa gli ha
hai hanno ho i il in io l la le lei li lo loro lui ma mi mia mie miei mio ne negli nei nel nella
nelle nello no noi non nostra nostro o per perché perciò più quale quali quando quanti quanto quella
quelle quelli quello questa queste questi questo se sei si sia siamo sono sta su sua sue sugli sui
sul sulla sulle suo suoi ti tra tu tua tue tuo tuoi un una uno vi voi
"""
PORTUGUESE = """
a à ao aos aquela aquele aquilo as às até com como da das de dela dele deles depois do dos e é ela
elas ele eles em entre era eram essa esse esta está estão estava este eu foi foram há isso isto já
lhe mais mas me mesmo meu meus minha minhas muito na não nas nem no nos nós nossa nosso num numa o
onde os ou para pela pelas pelo pelos por porque porquê qual quais quando quanto quantos que quê
quem são se sem ser será seu seus só sua suas também te tem têm tenho ter teu tinha tu tua um uma
você vocês
"""
DUTCH = """
aan al alles als altijd andere ben bij daar dan dat de der deze die dit doch doen door dus een eens
en er ge geen geweest haar had heb hebben heeft hem het hier hij hoe hoeveel hun iemand iets ik in
is ja je kan kon kunnen maar me meer men met mij mijn moet na naar niet niets nog nu of om omdat ons
onze ook op over reeds te tegen toch toen tot u uit uw van veel voor waar waarom wanneer want waren
was wat welke we wel werd wie wij wil worden wordt zal ze zelf zich zij zijn zo zonder zou
"""

STOP_WORDS = {
    "english": frozenset(ENGLISH.split()),
    "german": frozenset(GERMAN.split()),
    "french": frozenset(FRENCH.split()),
    "spanish": frozenset(SPANISH.split()),
    "italian": frozenset(ITALIAN.split()),
    "portuguese": frozenset(PORTUGUESE.split()),
    "dutch": frozenset(DUTCH.split()),
}
