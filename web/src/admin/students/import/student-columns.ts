import type { ListFields, Mapping } from '../../lists/columns.ts';

/** What a column of a list of students may hold. */
export const importFields = [
  'username',
  'actualName',
  'gradeName',
  'className',
  'externalId',
  'cardNumber',
] as const;
export type ImportField = (typeof importFields)[number];

/** Which column holds what of the students. */
export type StudentMapping = Mapping<ImportField>;

/** How offices head their lists of students. A name to sign in with is preferred to a student number, and that to the national 学籍号. */
export const studentFields: ListFields<ImportField> = {
  key: 'username',
  // Without headings a list of two columns is account and name, of one the account alone.
  bare: ['username', 'actualName'],
  headings: {
    username: [
      ...['username', 'user', 'login', 'loginname', 'loginid', 'signinname', 'account', 'accountname'],
      ...['用户名', '登录名', '登录账号', '账号', '帐号', '用户账号', '学生账号'],
      ...['学号', '学生学号', '校内学号', '学生编号', '学员编号'],
      ...['studentid', 'studentno', 'studentnumber', 'studentnum', 'pupilid', 'pupilno', 'pupilnumber'],
      ...['admissionno', 'admissionnumber', 'enrolmentno', 'enrollmentno', 'id', 'idno', 'idnumber'],
      ...['学籍号', '全国学籍号', '全国统一学籍号', '学籍号码', '学籍编号', '上学籍号'],
    ],
    actualName: [
      ...['姓名', '学生姓名', '中文姓名', '真实姓名', '名字', '学生名字', '学生'],
      ...[
        'fullname',
        'studentfullname',
        'actualname',
        'studentname',
        'pupilname',
        'learnername',
        'childname',
      ],
      ...['name', 'displayname', 'student', 'pupil'],
    ],
    gradeName: [
      ...['grade', 'gradename', 'gradelevel', 'yeargroup', 'yearlevel', 'year'],
      ...['年级', '年级名称', '所在年级', '就读年级', '当前年级', '所属年级'],
    ],
    className: [
      ...['class', 'classname', 'homeroom', 'homeroomclass', 'formclass', 'tutorgroup', 'registrationgroup'],
      ...['form', 'section', '班级', '班级名称', '所在班级', '就读班级', '当前班级', '所属班级'],
      ...['行政班', '行政班级', '年级班级', '班别', '班'],
    ],
    externalId: [
      ...['externalid', 'externalnumber', 'sourcedid', 'sisid', '外部编号', '学籍系统编号', '教务系统编号'],
    ],
    cardNumber: [
      ...['card', 'cardnumber', 'cardno', 'cardid', 'campuscard', 'rfid'],
      ...['卡号', '一卡通号', '一卡通', '一卡通卡号', '一卡通编号', '校园卡号', '校园卡', '校卡号'],
    ],
  },
};
