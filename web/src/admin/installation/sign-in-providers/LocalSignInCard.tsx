import { Card, Stack, Switch, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutationOf, useOperation } from '../../../api/queries.ts';
import { useFailureNotice } from '../../../components/use-failure-notice.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import { texts } from './texts.ts';

export function LocalSignInCard() {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const { data } = useOperation('getLocalSignIn', { query: { schoolDb } });
  const change = useMutationOf('updateLocalSignIn', {
    onSuccess: () => notifications.show({ message: t('saved') }),
    onError: useFailureNotice({ 409: t('noProvider') }),
  });
  if (!data) return null;
  const shown = { ...data, ...(change.isPending && change.variables.body) };
  const set = (body: { administrators?: boolean; students?: boolean }) =>
    change.mutate({ body: { schoolDb, ...body } });
  return (
    <Card withBorder>
      <Title order={2} size="h4">
        {t('passwords')}
      </Title>
      <Text c="dimmed" size="sm" mb="sm">
        {t('passwordsHint')}
      </Text>
      <Stack gap="sm">
        <Switch
          label={t('staffPasswords')}
          checked={shown.administrators ?? true}
          onChange={(event) => set({ administrators: event.currentTarget.checked })}
        />
        <Switch
          label={t('studentPasswords')}
          checked={shown.students ?? true}
          onChange={(event) => set({ students: event.currentTarget.checked })}
        />
      </Stack>
    </Card>
  );
}
