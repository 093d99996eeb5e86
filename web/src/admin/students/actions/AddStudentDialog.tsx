import { limits } from 'virtual:contract';
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { newIdempotencyKey } from '../../../api/call.ts';
import { useMutationOf } from '../../../api/queries.ts';
import { FormFooter } from '../../../components/FormFooter.tsx';
import { ClassPicker } from '../../../components/StructurePickers.tsx';
import { UsernameInput } from '../../../components/UsernameInput.tsx';
import { useForm } from '../../../components/use-form.ts';
import { toHalfWidth } from '../../../i18n/letters.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useMe } from '../../me.ts';
import { useSchool } from '../../school.tsx';
import type { InitialPassword } from '../passwords/initial-password.ts';
import { OnePassword } from '../passwords/OnePassword.tsx';
import { IdentifierInputs } from './IdentifierInputs.tsx';
import { classLabelOf } from './student-action.ts';
import { texts } from './texts.ts';

interface AddStudentDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly classId: number | null;
}

export function AddStudentDialog({ opened, onClose, classId }: AddStudentDialogProps) {
  const t = useTexts(texts);
  const [passwordShown, setPasswordShown] = useState(false);
  const close = () => {
    setPasswordShown(false);
    onClose();
  };
  return (
    // A click outside must not lose the input, and Escape must not lose the shown password.
    <Modal
      opened={opened}
      onClose={close}
      title={t('addTitle')}
      closeOnClickOutside={false}
      closeOnEscape={!passwordShown}
      withCloseButton={!passwordShown}
    >
      <AddStudent onClose={close} classId={classId} onPasswordShown={setPasswordShown} />
    </Modal>
  );
}

interface AddStudentProps extends Omit<AddStudentDialogProps, 'opened'> {
  readonly onPasswordShown: (shown: boolean) => void;
}

function AddStudent({ onClose, classId, onPasswordShown }: AddStudentProps) {
  const t = useTexts(texts);
  const me = useMe();
  const [chosenClass, setChosenClass] = useState(me.classId ?? classId);
  const [added, setAdded] = useState<InitialPassword | null>(null);
  const show = (shown: InitialPassword | null) => {
    setAdded(shown);
    onPasswordShown(shown !== null);
  };
  if (!added) {
    return <AddForm onClose={onClose} classId={chosenClass} onClass={setChosenClass} onAdded={show} />;
  }
  return (
    <Stack>
      <Text role="status" fw={600}>
        {t('added', { name: added.name })}
      </Text>
      <OnePassword password={added} />
      <Group justify="flex-end">
        <Button variant="default" onClick={() => show(null)}>
          {t('addAnother')}
        </Button>
        <Button onClick={onClose} data-autofocus>
          {t('done')}
        </Button>
      </Group>
    </Stack>
  );
}

interface AddFormProps {
  readonly onClose: () => void;
  readonly classId: number | null;
  readonly onClass: (classId: number | null) => void;
  readonly onAdded: (added: InitialPassword) => void;
}

function AddForm({ onClose, classId, onClass, onAdded }: AddFormProps) {
  const t = useTexts(texts);
  const me = useMe();
  const { schoolDb } = useSchool();
  const [name, setName] = useState('');
  const [username, setUsername] = useState('');
  const [identifiers, setIdentifiers] = useState({ externalId: '', cardNumber: '' });
  // The key stays the same for the same content, so a retry after a lost answer creates no second student.
  const sent = useRef({ content: '', key: '' });
  const create = useMutationOf('createUsers', {
    onSuccess: (data) => {
      if (!('id' in data)) return;
      const { actualName: name, username, initialPassword: password = '' } = data;
      const { passwordEndsAt = null, signInCode = null } = data;
      onAdded({ name, username, classLabel: classLabelOf(data), password, passwordEndsAt, signInCode });
    },
  });
  const externalId = toHalfWidth(identifiers.externalId);
  const cardNumber = toHalfWidth(identifiers.cardNumber);
  const isNumbered = externalId !== '' || cardNumber !== '';
  const faults = {
    username: toHalfWidth(username) === '' && t('required'),
    class: classId === null && t('chooseClass'),
  };
  const { form, shown } = useForm(faults, () => {
    if (classId === null) return;
    const body = {
      schoolDb,
      classId,
      username: toHalfWidth(username),
      generatePassword: true,
      ...(name.trim() !== '' && { actualName: name.trim() }),
      ...(externalId !== '' && { externalId }),
      ...(cardNumber !== '' && { cardNumber }),
    };
    const content = JSON.stringify(body);
    if (sent.current.content !== content) sent.current = { content, key: newIdempotencyKey() };
    create.mutate({ body, idempotencyKey: sent.current.key });
  });
  return (
    <form {...form}>
      <Stack>
        <TextInput
          label={t('name')}
          description={t('nameHint')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={limits.nameLengthMax}
          autoComplete="off"
          data-autofocus
        />
        <UsernameInput
          description={t('usernameHint')}
          value={username}
          onChange={setUsername}
          withAsterisk
          error={shown.username}
        />
        {me.classId === null && (
          <ClassPicker schoolDb={schoolDb} value={classId} onChange={onClass} withLabel error={shown.class} />
        )}
        <IdentifierInputs value={identifiers} onChange={setIdentifiers} />
        <FormFooter
          attempt={create}
          sentences={{ 409: t(isNumbered ? 'identifierTaken' : 'usernameTaken') }}
          onCancel={onClose}
          submitLabel={t('add')}
        />
      </Stack>
    </form>
  );
}
