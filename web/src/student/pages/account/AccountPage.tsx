import { Button, Stack } from '@mantine/core';
import { useMutationOf } from '../../../api/queries.ts';
import { signedOut, studentToken } from '../../../api/session-state.ts';
import { LanguageSwitch } from '../../../components/LanguageSwitch.tsx';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { SchemeSwitch } from '../../../components/SchemeSwitch.tsx';
import { commonTexts } from '../../../i18n/common-texts.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { texts } from './texts.ts';

export function AccountPage() {
  const t = useTexts(texts);
  const c = useTexts(commonTexts);
  const leave = () => {
    studentToken.forget();
    signedOut();
    location.assign('/');
  };
  // Without a network the token is at least forgotten here.
  const logout = useMutationOf('studentLogout', { onSuccess: leave, onError: leave });
  return (
    <>
      <PageHeader title={t('title')} />
      <Stack align="flex-start">
        <LanguageSwitch />
        <SchemeSwitch />
        <Button variant="default" loading={logout.isPending} onClick={() => logout.mutate({})}>
          {c('signOut')}
        </Button>
      </Stack>
    </>
  );
}
