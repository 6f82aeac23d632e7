/**
 * English words that tell what a sentence does rather than what it is about, by what they do in it: the
 * closed classes, and the verbs, adverbs and nouns that carry as little. Left out on purpose are words that
 * also name what pages are about ("system", "state", "name", "value"), and contractions whose letters spell
 * another word once the apostrophe is gone (I'll, he'll, she'd, we'd).
 */
export const ENGLISH_FUNCTION_WORDS: readonly string[] = [
  // Pronouns
  `me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she
   her hers herself it its itself they them their theirs themselves oneself thee thou thy ye who whom
   whose which what whoever whomever whichever whatever whatsoever whosoever that this these those self
   selves somebody someone something anybody anyone anything everybody everyone everything nobody noone
   nothing none one ones other others another`,
  // Articles, determiners and quantities
  `the an each every either neither both all any some no few fewer little less least lot lots many more
   most much several enough such same own certain various entire whole half plenty sufficient else extra
   further respective`,
  // Prepositions
  `about above across after against along alongside amid amidst among amongst around as aside at before
   behind below beneath beside besides between beyond by concerning considering despite down during
   except excluding following for from in inside into like near nearer of off on onto out outside over
   past per plus minus regarding round since than through throughout thru till to toward towards under
   underneath unlike until unto up upon upwards downwards versus via vs with within without according
   owing due because instead regardless notwithstanding ex`,
  // Conjunctions and sentence adverbs
  `and or but nor so yet if unless although though even albeit whereas while whilst whether once lest
   provided providing therefore thus hence thence whence consequently accordingly moreover furthermore
   however nevertheless nonetheless otherwise likewise similarly meanwhile anyway anyways anyhow also too
   indeed namely respectively firstly secondly overall inasmuch insofar`,
  // Where and when
  `here there where wherever everywhere anywhere somewhere nowhere elsewhere hereafter hereby herein
   hereupon thereafter thereby therein thereof thereto thereupon whereby wherein whereupon hither thither
   whither away apart together forth forward backward backwards when whenever then now already soon
   sooner later latter latterly lately recently recent currently formerly former previously previous
   afterwards afterward beforehand ago again always ever forever never often seldom rarely sometimes
   sometime someday usually normally generally frequently occasionally immediately immediate today still
   just next last first second third fourth fifth twice thrice meantime alone`,
  // Degree and manner
  `very quite rather really truly actually almost nearly hardly barely scarcely merely only mostly mainly
   largely partly fully entirely completely absolutely fairly pretty somewhat slightly approximately
   exactly especially particularly particular specifically simply clearly obviously evidently apparently
   seemingly presumably supposedly possibly perhaps maybe probably likely unlikely certainly surely
   definitely hopefully unfortunately necessarily well better best worse worst far farther farthest
   furthest how howbeit why not somehow relatively reasonably sufficiently awfully seriously thoroughly
   successfully thorough`,
  // Auxiliary verbs
  `am is are was were be been being do does did doing done have has had having can could may might must
   shall should will would ought need needs needed needing dare used cannot`,
  // Contractions and the pieces they fall into
  `aren't can't couldn't daren't didn't doesn't don't hadn't hasn't haven't isn't mayn't mightn't mustn't
   needn't oughtn't shan't shouldn't wasn't weren't won't wouldn't ain't i'm i've you'll you'd you're
   you've he's she's it's it'll it'd we've we're they'll they'd they're they've that's that'll there's
   there'll here's who's who'd who'll who've what's what'll what're when's where's why's how's let's
   could've should've would've might've must've one's 'tis 'twas cmon`,
  // Verbs of little content, in their forms
  `get gets getting got gotten go goes going gone went come comes coming came become becomes becoming
   became make makes making made take takes taking taken took give gives giving given gave put puts
   putting keep keeps keeping kept let lets letting seem seems seemed seeming appear appears appeared
   appearing say says saying said tell tells telling told ask asks asked asking know knows knowing known
   knew think thinks thinking thought see sees seeing seen saw look looks looked looking want wants
   wanted wanting wish wishes try tries tried trying use uses using useful happen happens happened
   happening tend tends tended mean means meant contain contains contained containing include includes
   included consider considered regards indicate indicates indicated specify specified follow follows
   followed allow allows allowed allowing believe believes believed suppose supposed provide provides
   called note noted associated based including`,
  // Adjectives and nouns of little content
  `able unable available possible necessary important similar different differing appropriate
   corresponding obvious sure aware willing new old thing things way ways case cases fact facts part
   parts example`,
  // Numbers
  `zero two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
   seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand`,
  // Greetings and interjections
  `yes oh ah hi hello okay ok please thank thanks sorry welcome greetings`,
  // Abbreviations
  `eg ie etc et al viz cf inc ltd co mr mrs ms ll ve re`,
].flatMap((line) => line.trim().split(/\s+/));
