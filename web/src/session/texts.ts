import { defineTexts } from '../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    wrongLogin: 'Username or password is wrong.',
    severalSchools: 'More than one school has this username. Please give the number of your school.',
    wrongWithSchool: 'Username, password or school number is wrong.',
    schoolHint: 'Your teacher finds it under “My account”, for example 7.',
    againTitle: 'Please sign in again',
    againText:
      'Your session has ended, or somebody else signed in at this browser. Nothing that you typed is lost: sign in and go on.',
    wrongAgain:
      'Username or password is wrong. Perhaps somebody has set a new password for you, or disabled your account: your teacher or administrator can tell.',
    ended: 'Your session has ended. Please sign in again.',
    leave: 'Leave without signing in',
    adminTitle: 'For administrators',
    adminText: 'Sign in to keep the ledger of your classes.',
    studentTitle: 'For students',
    studentText: 'See your points, and what they are for.',
    toStart: 'To the start page',
    forgotten: 'Forgotten your password? Your teacher or administrator can set a new one.',
  },
  zh: {
    wrongLogin: '用户名或密码错误。',
    severalSchools: '多所学校有此用户名，请填写您的学校编号。',
    wrongWithSchool: '用户名、密码或学校编号错误。',
    schoolHint: '老师可在“我的账户”中查到，例如 7。',
    againTitle: '请重新登录',
    againText: '登录已失效，或有其他人在此浏览器登录。您填写的内容不会丢失，重新登录后可继续。',
    wrongAgain: '用户名或密码错误。密码可能已被重设，或账户已停用，请询问老师或管理员。',
    ended: '登录已失效，请重新登录。',
    leave: '不登录，离开',
    adminTitle: '管理员登录',
    adminText: '登录后管理班级积分。',
    studentTitle: '学生登录',
    studentText: '查看自己的积分和理由。',
    toStart: '返回首页',
    forgotten: '忘记密码？请老师或管理员为您重设。',
  },
});
