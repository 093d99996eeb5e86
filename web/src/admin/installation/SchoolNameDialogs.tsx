import { limits } from 'virtual:contract';
import type { School } from '@classledger/contract';
import { Anchor, Modal, Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useMutationOf } from '../../api/queries.ts';
import { FailureAlert } from '../../components/FailureAlert.tsx';
import { FormButtons } from '../../components/FormButtons.tsx';
import { useForm } from '../../components/use-form.ts';
import { cutTo } from '../../i18n/letters.ts';
import { useTexts } from '../../i18n/texts.ts';
import { texts } from './school-texts.ts';
import { useOpenSchool } from './use-open-school.ts';

interface CreateSchoolDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** The name that an application gave. */
  readonly initialName?: string;
  /** Offers the way into the new school; false where the place that opened the dialog does. */
  readonly withNotice?: boolean;
}

/** Creates a school. */
export function CreateSchoolDialog({
  opened,
  onClose,
  initialName = '',
  withNotice = true,
}: CreateSchoolDialogProps) {
  const t = useTexts(texts);
  const offerWayIn = useWayIn();
  const create = useMutationOf('createSchool', {
    onSuccess: (school) => {
      if (withNotice) offerWayIn(school);
      close();
    },
  });
  const close = () => {
    create.reset();
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title={t('createSchool')}>
      <NameForm
        initialName={cutTo(limits.nameLengthMax, initialName)}
        submitLabel={t('create')}
        onSubmit={(name) => create.mutate({ body: { name } })}
        onCancel={close}
        pending={create.isPending}
        error={create.error}
      />
    </Modal>
  );
}

/** A message with the way into a school that was just created. */
function useWayIn(): (school: Pick<School, 'name' | 'schoolDb'>) => void {
  const t = useTexts(texts);
  const open = useOpenSchool();
  return ({ name, schoolDb }) => {
    const id = `school-${schoolDb}`;
    const openIt = () => {
      notifications.hide(id);
      open(schoolDb);
    };
    notifications.show({
      id,
      autoClose: 12_000,
      title: t('created', { name }),
      message: (
        <>
          {t('createdNext')}{' '}
          <Anchor component="button" type="button" inherit onClick={openIt}>
            {t('open')}
          </Anchor>
        </>
      ),
    });
  };
}

interface RenameSchoolDialogProps {
  readonly school: School;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Gives a school another name; its key stays. */
export function RenameSchoolDialog({ school, opened, onClose }: RenameSchoolDialogProps) {
  const t = useTexts(texts);
  const rename = useMutationOf('updateSchool', {
    onSuccess: () => {
      notifications.show({ message: t('saved') });
      close();
    },
  });
  const close = () => {
    rename.reset();
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title={t('renameTitle', { name: school.name })}>
      <NameForm
        initialName={school.name}
        submitLabel={t('save')}
        onSubmit={(name) => rename.mutate({ params: { id: school.id }, body: { name } })}
        onCancel={close}
        pending={rename.isPending}
        error={rename.error}
      />
    </Modal>
  );
}

interface NameFormProps {
  readonly initialName: string;
  readonly submitLabel: string;
  readonly onSubmit: (name: string) => void;
  readonly onCancel: () => void;
  readonly pending: boolean;
  readonly error: unknown;
}

function NameForm({ initialName, submitLabel, onSubmit, onCancel, pending, error }: NameFormProps) {
  const t = useTexts(texts);
  const [name, setName] = useState(initialName);
  const { form, shown } = useForm({ name: name.trim() === '' && t('required') }, () => onSubmit(name.trim()));
  return (
    <form {...form}>
      <Stack>
        <TextInput
          label={t('nameLabel')}
          description={t('nameHint')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          onFocus={(event) => event.currentTarget.select()}
          maxLength={limits.nameLengthMax}
          autoComplete="off"
          error={shown.name}
          data-autofocus
        />
        <FailureAlert error={error} />
        <FormButtons onCancel={onCancel} submitLabel={submitLabel} pending={pending} />
      </Stack>
    </form>
  );
}
