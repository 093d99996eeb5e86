import type { ClassSummary } from '@classledger/contract';
import { List, Text } from '@mantine/core';
import { useOperation } from '../../../api/queries.ts';
import { ConfirmDialog, type DialogProps } from '../../../components/ConfirmDialog.tsx';
import { ErrorState } from '../../../components/ErrorState.tsx';
import { useMutationWithNotice } from '../../../components/use-mutation-with-notice.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import { texts } from './texts.ts';

export function EraseClassDialog({ of, opened, onClose }: DialogProps & { readonly of: ClassSummary }) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const people = useOperation('listUsers', { query: { schoolDb, classId: of.id } }, { enabled: opened });
  const count = people.data?.filter(({ erased }) => !erased).length;
  const erase = useMutationWithNotice(
    'eraseClass',
    ({ erased }) => t('erasedClass', { count: erased }),
    onClose,
  );
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('eraseTitle', { name: of.name })}
      confirmLabel={count === 0 ? t('close') : t('eraseConfirm')}
      danger={count !== 0}
      {...(count && { typedText: of.name })}
      onConfirm={() => {
        if (count) erase.mutate({ params: { id: of.id }, body: { schoolDb, students: count } });
        else if (count === 0) onClose();
      }}
      mutation={erase}
      sentences={{ 404: t('gone'), 409: t('eraseChanged') }}
    >
      {count === undefined ? (
        people.isError ? (
          <ErrorState compact error={people.error} onRetry={() => void people.refetch()} />
        ) : (
          <Text size="sm">{t('eraseCounting')}</Text>
        )
      ) : count === 0 ? (
        <Text size="sm">{t('eraseNobody')}</Text>
      ) : (
        <>
          <List size="sm" spacing={6} pe="md">
            <List.Item>{t('eraseGoes', { count })}</List.Item>
            <List.Item>{t('eraseStays')}</List.Item>
          </List>
          <Text size="sm">{t('eraseFinal')}</Text>
        </>
      )}
    </ConfirmDialog>
  );
}
