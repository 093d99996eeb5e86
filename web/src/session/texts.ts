import { defineTexts } from '../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    wrongLogin:
      'Wrong username or password. A password that you were given, on a slip perhaps, may have expired: ask for a new one.',
    severalSchools: 'Several schools use this username. Enter your school code.',
    wrongWithSchool:
      'Wrong username, password or school code. A password that you were given, on a slip perhaps, may have expired: ask for a new one.',
    schoolHint: 'It is on your password slip, e.g. school_7.',
    againTitle: 'Please sign in again',
    againText:
      'Your session ended, or someone else signed in on this browser. Nothing you typed is lost: sign in to continue.',
    wrongAgain:
      'Wrong username or password. Your password may have been reset or your account disabled; ask your teacher or administrator.',
    ended: 'Your session has ended. Please sign in again.',
    sharedComputer: 'This is a shared computer',
    sharedComputerHint: 'Others use it too. You’ll be signed out sooner.',
    leave: 'Continue without signing in',
    adminTitle: 'Teachers and staff',
    adminText: 'Sign in to manage your classes.',
    studentTitle: 'Students',
    studentText: 'See your points and the reasons for them.',
    toStart: 'Back to home',
    forgotten: 'Forgot your password? Ask your teacher to reset it.',
    forgottenByStaff: 'Forgot your password? Ask an administrator above you to reset it.',
  },
  zh: {
    wrongLogin: '用户名或密码不正确。如果用的是发放的密码（如密码条），可能已过期，请重新领取。',
    severalSchools: '有多所学校使用此用户名，请填写学校代码。',
    wrongWithSchool:
      '用户名、密码或学校代码不正确。如果用的是发放的密码（如密码条），可能已过期，请重新领取。',
    schoolHint: '见密码条，例如 school_7。',
    againTitle: '请重新登录',
    againText: '登录已失效，或有其他人在此浏览器登录。您填写的内容不会丢失，重新登录后可继续。',
    wrongAgain: '用户名或密码不正确。密码可能已被重置，或账号已停用，请询问老师或管理员。',
    ended: '登录已失效，请重新登录。',
    sharedComputer: '公用电脑',
    sharedComputerHint: '多人共用时请勾选，系统会更早自动退出。',
    leave: '暂不登录',
    adminTitle: '教师与管理员登录',
    adminText: '登录后管理班级积分。',
    studentTitle: '学生登录',
    studentText: '查看自己的积分和加减分理由。',
    toStart: '返回首页',
    forgotten: '忘记密码？请联系老师重置。',
    forgottenByStaff: '忘记密码？请联系上级管理员重置。',
  },
});
