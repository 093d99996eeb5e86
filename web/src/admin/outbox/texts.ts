import { defineTexts } from '../../i18n/texts.ts';

export const texts = defineTexts({
  title: ['Not saved', '未保存'],
  what: ['{{said}}: {{who}}, {{day}}', '{{said}}：{{who}}，{{day}}'],
  comma: [', ', '、'],
  present: ['Present', '出勤'],
  pick: ['Random pick', '随机点名'],
  stateFailing: [
    'The server failed to save this several times. It is kept on this device and sent again automatically.',
    '服务器多次保存失败。记录仍保存在本机，会自动重试。',
  ],
  stateUnsure: [
    'This may or may not have been saved. Check before you send it again.',
    '不确定是否已保存，请核对后再重新发送。',
  ],
  stateAwaited: [
    'This may or may not have been saved. A later change waits for it. Choose “Stop trying” to save the later one.',
    '不确定是否已保存，之后的更改正在等待。点“不再重试”即可保存之后的更改。',
  ],
  problem400: [
    'The student has left the class, or the day is too long ago to change.',
    '该学生已不在本班，或日期太早，不能修改。',
  ],
  problem403: ['The student is not in your classes.', '该学生不在您的负责范围内。'],
  problem404: ['The class or the student no longer exists.', '班级或学生已不存在。'],
  problem409: [
    'The class has graduated, or the student’s data was erased.',
    '班级已毕业，或该学生的个人信息已清除。',
  ],
  problemOther: ['The server refused it ({{message}}).', '服务器未接受（{{message}}）。'],
  sendAgain: ['Send again', '重新发送'],
  giveUp: ['Stop trying', '不再重试'],
  doFor: ['{{do}}: {{what}}', '{{do}}：{{what}}'],
});
