import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { hasStatus } from '../api/api-failure.ts';
import type { DataOf } from '../api/operation-types.ts';
import { useMutationOf } from '../api/queries.ts';
import { studentToken } from '../api/session-state.ts';
import { FailureAlert } from '../components/FailureAlert.tsx';
import { commonTexts } from '../i18n/common-texts.ts';
import { useTexts } from '../i18n/texts.ts';
import { adminHint } from './admin-hint.ts';
import { texts } from './texts.ts';

/** Signs in as an administrator; the session is a cookie that pages cannot see. */
export function AdminSignInForm({ onSignedIn }: { readonly onSignedIn: (me: DataOf<'login'>) => void }) {
  const login = useMutationOf('login', {
    onSuccess: (me) => {
      adminHint.keep();
      onSignedIn(me);
    },
  });
  return (
    <SignInFields
      onSubmit={({ username, password }) => login.mutate({ body: { username, password } })}
      pending={login.isPending}
      error={login.error}
    />
  );
}

/** Signs in as a student; asks for the school only where the username is not enough. */
export function StudentSignInForm({
  onSignedIn,
}: {
  readonly onSignedIn: (me: DataOf<'studentLogin'>) => void;
}) {
  const [needsSchool, setNeedsSchool] = useState(false);
  const login = useMutationOf('studentLogin', {
    onSuccess: (me) => {
      studentToken.keep(me.token);
      onSignedIn(me);
    },
    onError: (error) => {
      if (hasStatus(error, 409)) setNeedsSchool(true);
    },
  });
  return (
    <SignInFields
      withSchool={needsSchool}
      onSubmit={({ username, password, schoolDb }) =>
        login.mutate({ body: { username, password, ...(schoolDb && { schoolDb }) } })
      }
      pending={login.isPending}
      error={login.error}
    />
  );
}

interface SignInFieldsProps {
  readonly withSchool?: boolean;
  readonly onSubmit: (typed: { username: string; password: string; schoolDb: string }) => void;
  readonly pending: boolean;
  readonly error: unknown;
}

function SignInFields({ withSchool = false, onSubmit, pending, error }: SignInFieldsProps) {
  const t = useTexts(texts);
  const c = useTexts(commonTexts);
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [schoolDb, setSchoolDb] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit({ username, password, schoolDb: schoolDb.trim() });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={c('username')}
          value={username}
          onChange={(event) => setUsername(event.currentTarget.value)}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          withAsterisk={false}
          data-autofocus
        />
        <PasswordInput
          label={c('password')}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          autoComplete="current-password"
          required
          withAsterisk={false}
        />
        {withSchool && (
          <TextInput
            label={t('schoolField')}
            description={t('schoolHint')}
            value={schoolDb}
            onChange={(event) => setSchoolDb(event.currentTarget.value)}
          />
        )}
        <FailureAlert error={error} sentences={{ 401: t('wrongLogin'), 409: t('severalSchools') }} />
        <Button type="submit" size="md" fullWidth loading={pending}>
          {c('signIn')}
        </Button>
      </Stack>
    </form>
  );
}
