import type { ListFields } from '../../lists/columns.ts';

export type TeacherField = 'className' | 'gradeName' | 'actualName' | 'username';

/** Headings in schools' lists. A staff number or e-mail address serves as username if the list has no other. */
export const teacherFields: ListFields<TeacherField> = {
  key: 'className',
  bare: ['className', 'actualName', 'username'],
  headings: {
    username: [
      ...['username', 'user', 'login', 'loginname', 'signinname', 'account', 'accountname'],
      ...['用户名', '登录名', '登录账号', '账号', '帐号', '教师账号'],
      ...['工号', '教工号', '教职工号', '职工号', '员工号', '教师编号'],
      ...['staffid', 'staffno', 'staffnumber', 'staffcode', 'employeeid', 'employeeno', 'teacherid'],
      ...['email', 'emailaddress', 'mail', '电子邮箱', '电子邮件', '邮箱'],
    ],
    actualName: [
      ...['班主任姓名', '班主任', '教师姓名', '老师姓名', '姓名', '教师', '老师', '名字'],
      ...[
        'teachername',
        'classteacher',
        'homeroomteacher',
        'formtutor',
        'teacher',
        'tutor',
        'fullname',
        'name',
      ],
    ],
    gradeName: ['grade', 'gradename', 'gradelevel', 'yeargroup', 'year', '年级', '年级名称', '所在年级'],
    className: [
      ...['class', 'classname', 'homeroom', 'homeroomclass', 'formclass', 'form', 'tutorgroup'],
      ...['班级', '班级名称', '所在班级', '任教班级', '所带班级', '行政班', '班'],
    ],
  },
};
