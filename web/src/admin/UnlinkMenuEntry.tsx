import { IconUnlink } from '@tabler/icons-react';
import { useOperation } from '../api/queries.ts';
import { MenuEntry } from '../components/list/RowMenu.tsx';
import { defineTexts, useTexts } from '../i18n/texts.ts';
import { defineWrite, useRunWriteWithNotice } from './page/write.ts';

const texts = defineTexts({
  unlink: ['Unlink single sign-on', '解除单点登录绑定'],
  unlinked: [
    '{{username}} is unlinked and signed out. The next sign-in that fits links the account again.',
    '已解除{{username}}的绑定并退出其登录，下次匹配的登录会重新绑定。',
  ],
  notLinked: ['{{username}} has not signed in with single sign-on.', '{{username}}没有使用过单点登录。'],
});

interface UnlinkMenuEntryProps {
  readonly who: 'administrator' | 'student';
  readonly id: number;
  /** Null for an administrator without a school. */
  readonly schoolDb: string | null;
}

/** Unlinks a person who has a new account at the sign-in service. Hidden if the school has no sign-in service. */
export function UnlinkMenuEntry({ who, id, schoolDb }: UnlinkMenuEntryProps) {
  const t = useTexts(texts);
  const query = { for: who === 'student' ? 'students' : 'administrators', schoolDb: schoolDb ?? '' } as const;
  const { data } = useOperation('listSignInChoices', { query }, { enabled: schoolDb !== null });
  const { run } = useRunWriteWithNotice();
  if (schoolDb === null || !data || data.providers.length === 0) return null;
  const unlink = defineWrite(
    who === 'student' ? 'unbindUser' : 'unbindAdministrator',
    { params: { id }, query: { schoolDb } },
    ({ username, removed }) => t(removed > 0 ? 'unlinked' : 'notLinked', { username }),
  );
  return (
    <MenuEntry icon={IconUnlink} onChoose={() => run(unlink)}>
      {t('unlink')}
    </MenuEntry>
  );
}
