import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { Entrance } from './Entrance.tsx';
import { issuedPassword } from './issued-password.ts';
import { type PasswordChange, PasswordForm } from './PasswordForm.tsx';
import { passwordTexts } from './password-texts.ts';
import { TopDialog } from './TopDialog.tsx';

export interface FirstPasswordProps {
  readonly as: 'admin' | 'student';
  readonly username: string;
  /** Words that people who know the person would try. */
  readonly own: readonly string[];
  readonly change: PasswordChange;
  readonly signOut: { readonly run: () => void; readonly isPending: boolean };
}

interface PlacedProps extends FirstPasswordProps {
  /** Pages are open below, perhaps with something that is typed: they stay. */
  readonly isAbove: boolean;
}

/** All that someone sees who signed in with a password that somebody else gave out, until they have chosen their own. */
export function FirstPassword({ as, isAbove, signOut, ...form }: PlacedProps) {
  const t = useTexts(passwordTexts);
  const title = t('firstTitle');
  const text = t(as === 'admin' ? 'firstTextAdmin' : 'firstTextStudent');
  const leave: ReactNode = (
    <Button
      variant="subtle"
      color="gray"
      mt={isAbove ? 0 : 'xs'}
      onClick={signOut.run}
      loading={signOut.isPending}
    >
      {t('signOut')}
    </Button>
  );
  const fields = <PasswordForm {...form} as={as} given={issuedPassword.get()?.password} repeats isFirst />;
  if (!isAbove) {
    return (
      <Entrance title={title} text={text} wayOut={leave}>
        {fields}
      </Entrance>
    );
  }
  return (
    <TopDialog title={title} text={text} onCancel={null}>
      {fields}
      {leave}
    </TopDialog>
  );
}
