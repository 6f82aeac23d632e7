/** The language of equal texts: that which all of them say. Of texts that say to be in different ones `none` is known. */
export function commonLanguage<Language>(known: Language, other: Language, none: Language): Language {
  return known === other ? known : none;
}
