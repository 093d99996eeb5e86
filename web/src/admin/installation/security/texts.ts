import { defineTexts } from '../../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    title: 'Sign-in security',
    rolesTitle: 'Who needs a second factor',
    rolesText:
      'Whoever has none can only set one up from then on. Signing in at a school’s provider counts, too.',
    without_one: '{{count}} of {{all}} has none yet',
    without_other: '{{count}} of {{all}} have none yet',
    everybody: 'Everyone has one ({{all}})',
    nobody: 'Nobody has this role',
  },
  zh: {
    title: '登录安全',
    rolesTitle: '须开启二次验证的角色',
    rolesText: '尚未开启的人员在设置之前无法进行其他操作。通过学校的单点登录服务登录视为已验证。',
    without_other: '共 {{all}} 人，{{count}} 人尚未开启',
    everybody: '共 {{all}} 人，均已开启',
    nobody: '暂无此角色的人员',
  },
});
