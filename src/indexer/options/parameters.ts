import type { PartShares } from '../../features/parts.ts';
import { inWords } from '../../lib/in-words.ts';
import { COPY } from '../../relations/copy.ts';
import { TOPIC, TOPIC_PROFILES, topicRecipe } from '../../relations/topic.ts';
import { MH_V1 } from '../../sketch/mh-signature.ts';
import type { IndexReader } from '../../store/read/reader.ts';
import { defaultShape, SHAPING_ROWS, type ShapingOptions, shapeOf } from './build-options.ts';
import { copyParameters } from './copy-parameters.ts';
import type { Knob } from './knob.ts';

/** What a reader must know to weigh a new document alike, and to say how the index was made. */
export function storedParameters(options: ShapingOptions, used: PartShares): Record<string, unknown> {
  const profile = TOPIC_PROFILES[options.profile];
  const rows = Object.entries<Knob<unknown>>(SHAPING_ROWS).map(([name, { stored }]) => {
    const value = options[name as keyof ShapingOptions];
    return [inWords(name, '_'), stored?.write === undefined ? value : stored.write(value, { ...options })];
  });
  return {
    ...Object.fromEntries(rows.filter(([, value]) => value !== undefined)),
    recipe: topicRecipe(profile, used),
    title_in_anchor: profile.titleInAnchor,
    ...(options.copies && { [COPY.name]: copyParameters(options) }),
    ...(profile.signature !== null && { signature: profile.signature, signature_version: MH_V1 }),
  };
}

/** The options that an index was built with. */
export function storedOptions(reader: IndexReader): ShapingOptions {
  const { parameters, copyClusterings } = reader.card();
  const facts = { parameters, copyClusterings, topic: reader.relation(TOPIC.name)! };
  const found = shapeOf((name, { stored }) =>
    stored?.read === undefined ? parameters[inWords(name, '_')] : stored.read(facts),
  );
  const defaults = defaultShape(found.profile, found.copyProfile);
  return shapeOf((name) => found[name] ?? defaults[name]);
}
