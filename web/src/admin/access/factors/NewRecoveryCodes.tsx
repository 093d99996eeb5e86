import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutationOf } from '../../../api/queries.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { texts } from './texts.ts';

/** Creates new recovery codes. The old ones then no longer work. */
export function NewRecoveryCodes({ onCodes }: { readonly onCodes: (codes: readonly string[]) => void }) {
  const t = useTexts(texts);
  const [isAsked, setAsked] = useState(false);
  const create = useMutationOf('createRecoveryCodes', {
    onSuccess: ({ recoveryCodes }) => {
      setAsked(false);
      onCodes(recoveryCodes);
    },
  });
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setAsked(true)}>
        {t('newCodes')}
      </Button>
      <ConfirmDialog
        opened={isAsked}
        onClose={() => setAsked(false)}
        title={t('newCodesTitle')}
        confirmLabel={t('newCodes')}
        onConfirm={() => create.mutate({})}
        mutation={create}
      >
        <Text size="sm">{t('newCodesText')}</Text>
      </ConfirmDialog>
    </>
  );
}
