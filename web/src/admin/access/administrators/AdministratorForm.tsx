import { limits } from 'virtual:contract';
import { Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { FailureAlert } from '../../../components/FailureAlert.tsx';
import { FormButtons } from '../../../components/FormButtons.tsx';
import { useForm } from '../../../components/use-form.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { AffiliationFields } from './AffiliationFields.tsx';
import { type Affiliation, isAffiliationComplete } from './affiliation.ts';
import { texts } from './texts.ts';

/** What an administrator is, as far as a form holds it. */
export interface AdministratorDraft {
  readonly username: string;
  readonly affiliation: Affiliation;
}

interface AdministratorFormProps {
  readonly initial: AdministratorDraft;
  readonly submitLabel: string;
  /** Called with a username and everything that the role needs. */
  readonly onSubmit: (draft: AdministratorDraft) => void;
  readonly onCancel: () => void;
  /** The state of the mutation that `onSubmit` starts. */
  readonly pending: boolean;
  readonly error: unknown;
  /** The own role cannot be changed. */
  readonly roleLocked?: boolean;
  /** Whether the affiliation need not be complete: it is the one of before, of which a part was deleted. */
  readonly mayLack?: (affiliation: Affiliation) => boolean;
  /** Further fields; they are told whether to say what is wrong with them. */
  readonly children?: (checked: boolean) => ReactNode;
  /** Whether something is wrong with those fields, so that nothing is sent. */
  readonly childrenLack?: boolean;
}

/** Who an administrator is and what they are responsible for; to add one and to change one. */
export function AdministratorForm(props: AdministratorFormProps) {
  const { initial, submitLabel, onSubmit, onCancel, pending, error, roleLocked, mayLack } = props;
  const { children, childrenLack } = props;
  const t = useTexts(texts);
  const [username, setUsername] = useState(initial.username);
  const [affiliation, setAffiliation] = useState(initial.affiliation);
  const lacking = !isAffiliationComplete(affiliation) && mayLack?.(affiliation) !== true;
  const faults = {
    name: username.trim() === '' && t('required'),
    affiliation: lacking && t('required'),
    children: childrenLack && t('required'),
  };
  const { form, shown, tried } = useForm(faults, () => onSubmit({ username: username.trim(), affiliation }));
  return (
    <form {...form}>
      <Stack>
        <TextInput
          label={t('username')}
          description={t('usernameHint')}
          value={username}
          onChange={(event) => setUsername(event.currentTarget.value)}
          maxLength={limits.usernameLengthMax}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          error={shown.name}
          data-autofocus
        />
        <AffiliationFields
          value={affiliation}
          onChange={setAffiliation}
          checked={Boolean(shown.affiliation)}
          {...(roleLocked !== undefined && { locked: roleLocked })}
        />
        {children?.(tried)}
        <FailureAlert error={error} sentences={{ 409: t('usernameTaken'), 403: t('refused') }} />
        <FormButtons onCancel={onCancel} submitLabel={submitLabel} pending={pending} />
      </Stack>
    </form>
  );
}
