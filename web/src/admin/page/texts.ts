import { defineTexts } from '../../i18n/texts.ts';

export const texts = defineTexts({
  discardTitle: ['Discard your changes?', '放弃已填写的内容？'],
  discardText: ['They have not been saved.', '内容尚未保存。'],
  discard: ['Discard', '放弃'],
});
