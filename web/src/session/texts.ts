import { defineTexts } from '../i18n/texts.ts';

export const texts = defineTexts({
  wrongLogin: ['Wrong username or password.', '用户名或密码不正确。'],
  endedAdmin: [
    'This password expired because it wasn’t used in time. Ask the person who gave it to you for a new one.',
    '此密码长期未使用，已过期。请联系发放密码的管理员重新获取。',
  ],
  endedStudent: [
    'This password expired because it wasn’t used in time. Ask your teacher for a new one.',
    '此密码长期未使用，已过期。请联系老师重新领取。',
  ],
  severalSchools: [
    'Several schools use this username. Enter your school code.',
    '有多所学校使用此用户名，请填写学校代码。',
  ],
  wrongWithSchool: ['Wrong username, password or school code.', '用户名、密码或学校代码不正确。'],
  schoolHint: ['It is on your password slip, e.g. school_7.', '见密码条，例如 school_7。'],
  againTitle: ['Please sign in again', '请重新登录'],
  againText: [
    'Your session ended, or someone else signed in on this browser. Sign in to continue. Your entries are kept.',
    '登录已失效，或有其他人在此浏览器登录。请重新登录，您填写的内容不会丢失。',
  ],
  wrongAgain: [
    'Wrong username or password. Your password may have been reset or your account disabled. Ask your teacher or administrator.',
    '用户名或密码不正确。密码可能已被重置，或账号已停用，请询问老师或管理员。',
  ],
  ended: ['Your session has ended. Please sign in again.', '登录已失效，请重新登录。'],
  sharedComputer: ['This is a shared computer', '公用电脑'],
  sharedComputerHint: [
    'Others use it too. You’ll be signed out sooner.',
    '多人共用时请勾选，系统会更早自动退出。',
  ],
  leave: ['Continue without signing in', '暂不登录'],
  adminTitle: ['Teachers and staff', '教师与管理员登录'],
  adminText: ['Sign in to manage your classes.', '登录后管理班级积分。'],
  studentTitle: ['Students', '学生登录'],
  studentText: ['See your points and the reasons for them.', '查看自己的积分和加减分理由。'],
  toStart: ['Back to home', '返回首页'],
  forgotten: ['Forgot your password? Ask your teacher to reset it.', '忘记密码？请联系老师重置。'],
  forgottenByStaff: [
    'Forgot your password? Ask your administrator to reset it.',
    '忘记密码？请联系上级管理员重置。',
  ],
});
