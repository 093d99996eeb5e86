import { Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutationOf } from '../../../api/queries.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useMe } from '../../me.ts';
import { useSchools } from '../../school.tsx';
import { type AdministratorDraft, AdministratorForm } from './AdministratorForm.tsx';
import { type Affiliation, affiliationFields } from './affiliation.ts';
import { PasswordShown } from './PasswordShown.tsx';
import { texts } from './texts.ts';

interface AddDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

interface Added {
  readonly username: string;
  readonly password: string;
}

export function AddDialog({ opened, onClose }: AddDialogProps) {
  const t = useTexts(texts);
  const [added, setAdded] = useState<Added | null>(null);
  const close = () => {
    onClose();
    setAdded(null);
  };
  return (
    <>
      <Modal opened={opened && !added} onClose={close} title={t('addTitle')} closeOnClickOutside={false}>
        <AddForm onClose={close} onAdded={setAdded} />
      </Modal>
      {added && (
        <PasswordShown
          opened={opened}
          title={t('addedTitle', { name: added.username })}
          {...added}
          onClose={close}
        />
      )}
    </>
  );
}

interface AddFormProps {
  readonly onClose: () => void;
  readonly onAdded: (added: Added) => void;
}

function AddForm({ onClose, onAdded }: AddFormProps) {
  const t = useTexts(texts);
  const me = useMe();
  const { school } = useSchools();
  const create = useMutationOf('createAdministrator', {
    onSuccess: ({ username, initialPassword = '' }) => onAdded({ username, password: initialPassword }),
  });
  // The most frequent and least powerful role: a new school's office, then teachers.
  const affiliation: Affiliation = {
    role: me.role === 'super_admin' ? 'school_admin' : 'class_admin',
    schoolId: me.schoolId ?? school?.id ?? null,
    gradeId: me.gradeId,
    classId: null,
  };
  const submit = (draft: AdministratorDraft) => {
    create.mutate({
      body: {
        username: draft.username,
        generatePassword: true,
        ...affiliationFields(draft.affiliation),
      },
    });
  };
  return (
    <AdministratorForm
      initial={{ username: '', affiliation }}
      submitLabel={t('add')}
      onSubmit={submit}
      onCancel={onClose}
      attempt={create}
    >
      <Text size="sm" c="dimmed">
        {t('firstPassword')}
      </Text>
    </AdministratorForm>
  );
}
