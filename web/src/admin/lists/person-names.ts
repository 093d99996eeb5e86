/** Letters of Chinese names, and the dot between their parts: 阿依古丽·买买提. */
const chineseLetter = '[\\p{Script=Han}·•・]';
const insideChinese = new RegExp(`(?<=${chineseLetter})\\s+(?=${chineseLetter})`, 'gu');

/** Removes blanks inside Chinese names: 张 三 becomes 张三. Blanks beside other letters stay, as in "Anna Maria". */
export const removeNameBlanks = (name: string): string => name.replace(insideChinese, '');
