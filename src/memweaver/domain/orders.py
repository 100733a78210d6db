"""What text that gives orders, or carries something out, looks like: by its words alone.

A word that is an order in one place and a fact in another (`always`, `sempre`, `immer`) counts
where orders have it: where a sentence begins, or beside a verb that one is told to do.
"""

import re
import unicodedata
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Wording:
    """How a language gives orders, as patterns in small letters.

    `anywhere` is an order wherever it stands, `clause` where a clause begins or goes on behind
    an "and", `sentence` only where nothing goes before.
    """

    anywhere: str
    clause: str
    sentence: str


ENGLISH = Wording(
    r"must|ignore|disregard|from now on|in (?:all )?future|make sure|be sure to"
    r"|you (?:should|will|are to|have to)|instead of answering|remember (?:to|that)"
    r"|trusted source|system prompt|execute|run the (?:command|script|code|tool|following)"
    r"|(?:do not|don't) (?:tell|say|mention|answer|reply|respond|reveal|ask|warn|use|trust|follow"
    r"|send|share|show|let|obey)"
    r"|(?:send|forward|post|upload|e-?mail) (?:it|them|this|that|all|every|the|any|\w+ to)"
    r"|(?:answer|reply|respond) (?:only|with)|only (?:answer|reply|respond)"
    r"|(?:previous|earlier|prior|above) (?:instructions|messages|rules)"
    r"|(?:always|never|whenever) (?:send|forward|answer|reply|respond|mention|recommend|suggest"
    r"|use|tell|say|include|add|write|ask|share|reveal|obey|follow|trust|call|pay|buy|click|visit"
    r"|open|run|delete|mail|post|upload|do|be|give|show|start|speak|refuse|wants?|wishes"
    r"|prefers?|expects?|insists?|requires?|you|the user|asked)"
    r"|(?:wants?|prefers?|expects?|insists?|requires?) (?:\w+ )?(?:answers?|repl(?:y|ies)"
    r"|responses?|messages?|invoices?|payments?|mails?|e-?mails?)",
    r"do not|don't|answer|reply|respond|recommend|forward|send|pay|transfer|click|obey|run the",
    r"always|never|whenever",
)
ITALIAN = Wording(
    r"d'ora in (?:poi|avanti)|da (?:ora|adesso) in (?:poi|avanti)|devi|dovete|dovrai|dovrete"
    r"|(?:assistente|utente) deve|assicurati|assicuratevi|ricordati|ricorda (?:di|che)|rispondi"
    r"|rispondete|non dimenticare|ignorate|ignora (?:le|i|gli|la|il|ogni|tutt\w+|quest\w+|ciò)"
    r"|istruzioni precedenti"
    r"|(?:invia|manda|inoltra|spedisci|inviate|mandate|inoltrate|inviare|inoltrare) "
    r"(?:sempre|i|le|gli|la|lo|il|l'\w+|ogni|tutt\w+|quest\w+)"
    r"|(?:usa|scrivi|parla|includi|aggiungi|chiedi|consiglia|cita|segui|paga) (?:sempre|solo)"
    r"|(?:sempre|mai) (?:inviare|inoltrare|rispondere|ignorare|usare|menzionare|rivelare)",
    r"ignora|invia|inoltra|manda|spedisci|esegui|paga",
    r"sempre|mai|in futuro|non \w+(?:are|ere|ire)",
)
SPANISH = Wording(
    r"a partir de ahora|de ahora en adelante|desde ahora|debes|debéis|deberás|tienes que"
    r"|(?:asistente|usuario) debe|asegúrate|asegúrese|no olvides|ignorad"
    r"|ignor[ae] (?:las?|los|el|tod\w+|cualquier|est\w+)|instrucciones anteriores"
    r"|(?:envía|envíe|enviad|manda|mande|reenvía|reenvíe|enviar|reenviar) "
    r"(?:siempre|las?|los|el|tod\w+|cada|est\w+)"
    r"|(?:responde|responda|contesta|conteste) (?:siempre|s[oó]lo|únicamente|con)"
    r"|(?:siempre|nunca) (?:responde|responda|contesta|envía|envíe|usa|use|recomienda|menciona"
    r"|di|incluye)",
    r"ignora|ignore|envía|envíe|reenvía|reenvíe|responde|responda|ejecuta|paga"
    r"|no (?:digas|menciones|reveles|respondas|uses|hagas)",
    r"siempre|nunca|jamás|en el futuro",
)
FRENCH = Wording(
    r"à partir de maintenant|dorénavant|tu (?:dois|devras)|vous (?:devez|devrez)"
    r"|(?:assistant|utilisateur) doit|assure-toi|assurez-vous|veille à|veillez à|souviens-toi"
    r"|souvenez-vous|réponds|répondez|n'oublie[sz]?|ignorez|instructions précédentes"
    r"|ignore (?:les?|la|l'\w+|tout\w*|ces?|cette)"
    r"|(?:envoie|envoies|envoyez|envoyer|transfère|transférez|transférer|transmets|transmettez) "
    r"(?:toujours|les?|la|l'\w+|tou\w+|chaque|ces?|cette)"
    r"|ne (?:dis|dites|mentionne|mentionnez|révèle|révélez|parle|parlez|fais|faites) "
    r"(?:pas|jamais)|il faut (?:toujours|que (?:tu|vous))",
    r"ignore|envoie|envoyez|transfère|transférez|exécute|exécutez|payez",
    r"toujours|jamais|désormais|à l'avenir",
)
GERMAN = Wording(
    r"ab (?:jetzt|sofort)|von (?:nun|jetzt) an|ignorier(?:e|t|en)?|missachte"
    r"|du (?:musst|sollst|solltest)|musst du|sie (?:müssen|sollen|sollten) (?:immer|nie|alle?)"
    r"|(?:assistent|nutzer|benutzer) muss|vergiss|stelle? sicher|befolge|antworte"
    r"|antworten sie|denk daran|merk dir|(?:vorherige|frühere|bisherige)n? anweisungen"
    r"|(?:sende|schicke?|maile|übermittle|leite|überweise|senden sie|schicken sie|leiten sie) "
    r"(?:immer|alle[ns]?|die|das|den|jede[ns]?|diese[ns]?|es|sie)"
    r"|(?:immer|nie|niemals) (?:antworten|senden|weiterleiten|erwähnen|verwenden|ignorieren)",
    r"sende|schicke|leite|führe|überweise",
    r"immer(?! noch| wieder| mehr)|nie|niemals|künftig|in zukunft",
)
WORDINGS = (ENGLISH, ITALIAN, SPANISH, FRENCH, GERMAN)

BEGIN = r"(?:^|[.!?:;,\"(\[*>-]\s?|\b(?:please|per favore|por favor|bitte) )"
AND = r"\b(?:and|then|e|ed|y|et|und) "
CARRIED = re.compile(r"https?://|\bwww\.|!\[|<[a-z/!]|(?<=\w)@[\w-]+\.\w\w")
"""Links, images, tags and addresses: by them something is carried out."""
PIECE = re.compile(r"\s+|\S{1,500}[\u0300-\u036f]{0,30}")
"""What is spelled anew at once: many accents on one letter take the square of their number to sort.

A letter stays together with its accents, as far as any language has them.
"""


def pattern(before: str, alternatives: list[str]) -> re.Pattern[str]:
    """Any of `alternatives`, as whole words, behind `before`."""
    written = rf"{before}(?:{'|'.join(alternatives)})\b"
    return re.compile(written.replace(" ", r"\s"), re.MULTILINE)


PATTERNS = (
    CARRIED,
    pattern(BEGIN, [one for it in WORDINGS for one in (it.clause, it.sentence)]),
    pattern(AND, [it.clause for it in WORDINGS]),
    pattern(r"\b", [it.anywhere for it in WORDINGS]),
)


def orders(text: str) -> bool:
    """Whether it looks like an order, carries something out, or hides something."""
    words = plain(text)
    return hidden(text) or any(pattern.search(words) for pattern in PATTERNS)


def hidden(text: str) -> bool:
    """Whether it has characters that people do not see but models read."""
    return any(unicodedata.category(character) in ("Cf", "Co") for character in text)


def plain(text: str) -> str:
    """`text` with one spelling for every letter, apostrophe and space; its lines stay lines."""
    pieces = (unicodedata.normalize("NFKC", piece) for piece in PIECE.findall(text))
    spelled = "".join(pieces).replace("\u2019", "'").casefold()
    return "\n".join(" ".join(line.split()) for line in spelled.splitlines() if line.strip())
