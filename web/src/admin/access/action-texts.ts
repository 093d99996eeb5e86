import type { LoggedAction } from '@classledger/contract';
import { defineTexts, type Entry, type Texts } from '../../i18n/texts.ts';

/** Logged actions by group. Sentences without a subject, because the log shows the person beside them. */
export const actionsByGroup = {
  students: {
    createUsers: ['Added students', '添加学生'],
    startImport: ['Imported students', '导入学生'],
    undoImport: ['Undid an import of students', '撤销学生导入'],
    updateUser: ['Changed a student', '修改学生信息'],
    resetUserPassword: ['Reset a student’s password', '重置学生密码'],
    resetUserPasswords: ['Created new password slips for students', '为学生重发密码条'],
    unbindUser: ['Unlinked a student from single sign-on', '解除学生的单点登录绑定'],
    deleteUser: ['Deleted a student', '删除学生'],
    exportUser: ['Exported a student’s data', '导出学生数据'],
    eraseUser: ['Erased a student’s data', '清除学生个人信息'],
    eraseClass: ['Erased the data of a class', '清除全班个人信息'],
    noteScoreLogs: ['Changed the note on a point record', '修改积分记录的备注'],
  },
  templates: {
    createScoreTemplate: ['Added a template', '添加模板'],
    updateScoreTemplate: ['Changed a template', '修改模板'],
    deleteScoreTemplate: ['Deleted a template', '删除模板'],
  },
  seats: {
    generateSeats: ['Created a seating plan', '重新生成座位表'],
    updateSeat: ['Changed a seat', '调整座位'],
  },
  terms: {
    switchTerm: ['Ended a term', '结束学期'],
  },
  structure: {
    replaceTeams: ['Changed the teams', '调整小组'],
    promoteSchool: ['Moved classes up for the new year', '学年升级'],
    undoPromotion: ['Undid a year promotion', '撤销学年升级'],
    createSchoolGrade: ['Added a grade', '添加年级'],
    updateSchoolGrade: ['Changed a grade', '修改年级'],
    deleteSchoolGrade: ['Deleted a grade', '删除年级'],
    createSchoolClass: ['Added a class', '添加班级'],
    updateSchoolClass: ['Changed a class', '修改班级'],
    deleteSchoolClass: ['Deleted a class', '删除班级'],
  },
  administrators: {
    createAdministrator: ['Added a staff account', '添加教职工账号'],
    assignClassTeachers: ['Assigned teachers from a list', '按名单安排教师'],
    updateAdministrator: ['Changed a staff account', '修改教职工账号'],
    resetAdministratorPassword: ['Reset the password of a staff account', '重置教职工账号的密码'],
    deleteAdministrator: ['Deleted a staff account', '删除教职工账号'],
    unbindAdministrator: ['Unlinked a staff account from single sign-on', '解除教职工的单点登录绑定'],
    resetSecondFactor: ['Reset the second factor of a staff account', '重置教职工账号的二次验证'],
  },
  accounts: {
    changeMyPassword: ['Changed their own password', '修改自己的密码'],
    signedIn: ['Signed in', '登录'],
    signInFailed: ['Failed to sign in', '登录失败'],
    codeAsked: ['Entered the right password and was asked for a code', '密码正确，等待输入验证码'],
    confirmed: ['Confirmed their identity', '本人身份确认成功'],
    confirmationFailed: ['Failed to confirm their identity', '本人身份确认失败'],
    recoveryCodeUsed: ['Signed in with a recovery code', '使用恢复码登录'],
    passkeyCloned: [
      'Was refused a sign-in, because the passkey seems to be a copy',
      '通行密钥疑似被复制，登录被拒绝',
    ],
    confirmCodeApp: ['Set up an authenticator app', '启用验证器应用'],
    removeCodeApp: ['Removed their authenticator app', '停用验证器应用'],
    createRecoveryCodes: ['Created new recovery codes', '重新生成恢复码'],
    addPasskey: ['Added a passkey', '添加通行密钥'],
    renamePasskey: ['Renamed a passkey', '重命名通行密钥'],
    removePasskey: ['Removed a passkey', '删除通行密钥'],
    sessionEnded: ['Signed out one of their devices', '退出自己的一台设备'],
    otherSessionsEnded: ['Signed out all their other devices', '退出自己的其他所有设备'],
    passwordReset: ['Was given a new password', '密码被重置'],
    secondFactorReset: ['Had their second factor reset', '二次验证被重置'],
    unbound: ['Was unlinked from single sign-on', '单点登录绑定被解除'],
  },
  credentials: {
    issueCredential: ['Issued an API credential', '新建 API 凭证'],
    updateCredential: ['Changed an API credential', '修改 API 凭证'],
    revokeCredential: ['Revoked an API credential', '吊销 API 凭证'],
    updateCredentialWebhook: ['Paused or resumed a webhook', '暂停或恢复 Webhook'],
    deleteCredentialWebhook: ['Deleted a webhook', '删除 Webhook'],
    replayDeliveries: ['Sent changes to a webhook again', '重新发送 Webhook 变更'],
    webhookStopped: ['A webhook of their credential was stopped', '凭证的 Webhook 已被停止'],
    webhookMissed: ['A webhook of their credential missed changes', '凭证的 Webhook 未收到部分变更'],
  },
  installation: {
    createSchool: ['Created a school', '新建学校'],
    updateSchool: ['Changed a school', '修改学校'],
    deleteSchool: ['Deleted a school', '删除学校'],
    updateSchoolSettings: ['Changed the school settings', '修改学校设置'],
    createSignInProvider: ['Added a sign-in service', '添加登录服务'],
    updateSignInProvider: ['Changed a sign-in service', '修改登录服务'],
    deleteSignInProvider: ['Removed a sign-in service', '移除登录服务'],
    updateLocalSignIn: ['Changed who may sign in with a password', '修改密码登录开关'],
    updateSecondFactorRoles: ['Changed which roles need a second factor', '修改须二次验证的角色'],
    createAnnouncement: ['Published an announcement', '发布公告'],
    updateAnnouncement: ['Changed an announcement', '修改公告'],
    deleteAnnouncement: ['Deleted an announcement', '删除公告'],
    reviewApplication: ['Reviewed an application', '审核开通申请'],
    deleteApplication: ['Deleted an application', '删除开通申请'],
  },
} as const satisfies Readonly<Record<string, Texts>>;

export type ActionsByGroup = typeof actionsByGroup;

export const groupTexts = defineTexts({
  students: ['Students', '学生'],
  templates: ['Templates', '模板'],
  seats: ['Seating plans', '座位表'],
  terms: ['Terms', '学期'],
  structure: ['Grades and classes', '年级与班级'],
  administrators: ['Staff accounts', '教师与管理员'],
  accounts: ['Sign-in and own account', '登录与本人账号'],
  credentials: ['API credentials', 'API 凭证'],
  installation: ['System', '系统'],
} satisfies Record<keyof ActionsByGroup, Entry>);

/** A new action compiles only with a name in both languages. */
export const actionTexts = defineTexts({
  ...actionsByGroup.students,
  ...actionsByGroup.templates,
  ...actionsByGroup.seats,
  ...actionsByGroup.terms,
  ...actionsByGroup.structure,
  ...actionsByGroup.administrators,
  ...actionsByGroup.accounts,
  ...actionsByGroup.credentials,
  ...actionsByGroup.installation,
} satisfies Record<LoggedAction, Entry>);
