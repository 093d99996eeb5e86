import { Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { FormEnd, type SubmitState } from '../../../components/FormEnd.tsx';
import { UsernameInput } from '../../../components/UsernameInput.tsx';
import { useForm } from '../../../components/use-form.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { AffiliationFields } from './AffiliationFields.tsx';
import { type Affiliation, isAffiliationComplete } from './affiliation.ts';
import { texts } from './texts.ts';

export interface AdministratorDraft {
  readonly username: string;
  readonly affiliation: Affiliation;
}

interface AdministratorFormProps {
  readonly initial: AdministratorDraft;
  readonly submitLabel: string;
  readonly onSubmit: (draft: AdministratorDraft) => void;
  readonly onCancel: () => void;
  readonly attempt: SubmitState;
  readonly roleLocked?: boolean;
  /** Whether the affiliation may be incomplete: it is unchanged, and part of it was deleted. */
  readonly mayLack?: (affiliation: Affiliation) => boolean;
  readonly children?: ReactNode;
}

export function AdministratorForm(props: AdministratorFormProps) {
  const { initial, submitLabel, onSubmit, onCancel, attempt, roleLocked, mayLack, children } = props;
  const t = useTexts(texts);
  const [username, setUsername] = useState(initial.username);
  const [affiliation, setAffiliation] = useState(initial.affiliation);
  const lacking = !isAffiliationComplete(affiliation) && mayLack?.(affiliation) !== true;
  const faults = {
    name: username.trim() === '' && t('required'),
    affiliation: lacking && t('required'),
  };
  const { form, shown } = useForm(faults, () => onSubmit({ username: username.trim(), affiliation }));
  return (
    <form {...form}>
      <Stack>
        <UsernameInput
          description={t('usernameHint')}
          value={username}
          onChange={setUsername}
          error={shown.name}
          data-autofocus
        />
        <AffiliationFields
          value={affiliation}
          onChange={setAffiliation}
          checked={Boolean(shown.affiliation)}
          {...(roleLocked !== undefined && { locked: roleLocked })}
        />
        {children}
        <FormEnd
          attempt={attempt}
          sentences={{ 409: t('usernameTaken'), 403: t('refused') }}
          onCancel={onCancel}
          submitLabel={submitLabel}
        />
      </Stack>
    </form>
  );
}
