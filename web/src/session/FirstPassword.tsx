import { Button, Group, Stack, Text } from '@mantine/core';
import { useTexts } from '../i18n/texts.ts';
import { issuedPassword } from './issued-password.ts';
import { NativeDialog } from './NativeDialog.tsx';
import { type PasswordChange, PasswordForm } from './PasswordForm.tsx';
import { passwordTexts } from './password-texts.ts';
import { SignInLayout } from './SignInLayout.tsx';

export interface FirstPasswordProps {
  readonly as: 'admin' | 'student';
  readonly username: string;
  readonly name: string | null;
  readonly own: readonly string[];
  readonly change: PasswordChange;
  readonly signOut: { readonly run: () => void; readonly isPending: boolean };
}

interface FirstPasswordDialogProps extends FirstPasswordProps {
  readonly isDialog: boolean;
}

export default function FirstPassword({ as, isDialog, name, signOut, ...form }: FirstPasswordDialogProps) {
  const t = useTexts(passwordTexts);
  const title = t('firstTitle');
  const text = t(as === 'admin' ? 'firstTextAdmin' : 'firstTextStudent');
  const { username } = form;
  const fields = (
    <Stack>
      {/* Shows whose account it is: with somebody else's printed slip, the person would lock the owner out. */}
      <Group justify="space-between" gap="xs">
        <Text fw={600} miw={0} style={{ overflowWrap: 'anywhere' }}>
          {name === null ? username : `${name} (${username})`}
        </Text>
        <Button
          variant="transparent"
          color="gray"
          size="compact-md"
          px={0}
          onClick={signOut.run}
          loading={signOut.isPending}
        >
          {t(as === 'admin' ? 'notYouAdmin' : 'notYouStudent')}
        </Button>
      </Group>
      <PasswordForm {...form} as={as} given={issuedPassword.get()?.password} repeats isFirst />
    </Stack>
  );
  if (isDialog) {
    return (
      <NativeDialog title={title} text={text} onCancel={null}>
        {fields}
      </NativeDialog>
    );
  }
  return (
    <SignInLayout title={title} text={text} backLink={null}>
      {fields}
    </SignInLayout>
  );
}
