import { Box, Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { lazy, type ReactNode, useId, useState } from 'react';
import { ApiFailure, hasStatus } from '../api/api-failure.ts';
import type { DataOf, InputOf } from '../api/operation-types.ts';
import { useMutationOf } from '../api/queries.ts';
import { studentToken } from '../api/session-state.ts';
import { LazyBoundary } from '../components/ErrorBoundary.tsx';
import { FailureAlert } from '../components/FailureAlert.tsx';
import { useForm } from '../components/use-form.ts';
import { useTexts } from '../i18n/texts.ts';
import { adminHint } from './admin-hint.ts';
import { issuedPassword } from './issued-password.ts';
import { PasskeyPlaceholder } from './PasskeyPlaceholder.tsx';
import { sharedComputer } from './stored-session.ts';
import { texts } from './texts.ts';

const ProviderButtons = lazy(() => import('./ProviderButtons.tsx'));
const PasskeySignIn = lazy(() => import('./PasskeyButton.tsx'));
const CodeStep = lazy(() => import('./CodeStep.tsx'));

export type PreviousUser = Pick<DataOf<'getMe'>, 'username' | 'schoolId'>;

interface SignInFormProps<Me> {
  readonly onSignedIn: (me: Me) => void;
  readonly again?: PreviousUser;
  /** Called with the title of the step after the password; with undefined on return to the password. */
  readonly onStep?: (title?: string) => void;
}

export function AdminSignInForm({ onSignedIn, again, onStep }: SignInFormProps<DataOf<'login'>>) {
  const t = useTexts(texts);
  // Username and password of a sign-in that still lacks the code of the second factor.
  const [proved, setProved] = useState<InputOf<'login'>['body'] | null>(null);
  const login = useMutationOf('login', {
    onSuccess: (me, { body }) => {
      adminHint.recordSignIn();
      if (me.mustChangePassword) issuedPassword.set({ password: body.password });
      onSignedIn(me);
    },
    onError: (error, { body }) => {
      if (!(error instanceof ApiFailure) || error.reason !== 'code') return;
      const { code: _, ...typed } = body;
      setProved(typed);
    },
  });
  const back = () => {
    login.reset();
    setProved(null);
  };
  return (
    <>
      {/* Hidden instead of removed, so that the input is still there when the person goes back. */}
      <div hidden={proved !== null}>
        <SignInFields
          again={again}
          onSubmit={({ username, password, isShared }) =>
            login.mutate({ body: { username, password, sharedComputer: isShared, confirmations: true } })
          }
          otherWays={(isShared) => (
            <>
              <PasskeyPlaceholder>
                <PasskeySignIn isShared={isShared} onSignedIn={onSignedIn} />
              </PasskeyPlaceholder>
              <ProviderButtons as="admin" isShared={isShared} again={again} onSignedIn={onSignedIn} />
            </>
          )}
          pending={login.isPending}
          ended={t('endedAdmin')}
          error={proved === null && login.error}
        />
      </div>
      {proved !== null && (
        <LazyBoundary>
          <CodeStep
            onSubmit={(code) => login.mutate({ body: { ...proved, code } })}
            onBack={back}
            onStep={onStep}
            onSignedIn={onSignedIn}
            isShared={proved.sharedComputer ?? false}
            pending={login.isPending}
            error={login.variables?.body.code !== undefined && login.error}
          />
        </LazyBoundary>
      )}
    </>
  );
}

/** Asks for the school only if the server answers that the username is ambiguous or throttled. */
export function StudentSignInForm({ onSignedIn, again }: SignInFormProps<DataOf<'studentLogin'>>) {
  const t = useTexts(texts);
  const [needsSchool, setNeedsSchool] = useState(false);
  const login = useMutationOf('studentLogin', {
    onSuccess: (me, { body }) => {
      if (me.mustChangePassword) issuedPassword.set({ password: body.password });
      studentToken.keep(me.token, { isShared: body.sharedComputer === true });
      onSignedIn(me);
    },
    onError: (error) => {
      // A student of another school with the same username may have caused the 429, so the form asks for the school.
      if (hasStatus(error, 409, 429)) setNeedsSchool(true);
    },
  });
  return (
    <SignInFields
      again={again}
      withSchool={needsSchool}
      onSubmit={({ username, password, schoolDb: typed, isShared }) => {
        const schoolDb = typed || (username === again?.username && again.schoolId);
        login.mutate({
          body: { username, password, sharedComputer: isShared, ...(schoolDb && { schoolDb }) },
        });
      }}
      otherWays={(isShared) => <ProviderButtons as="student" isShared={isShared} again={again} />}
      pending={login.isPending}
      ended={t('endedStudent')}
      error={login.error}
    />
  );
}

const focusOnMount = (field: HTMLInputElement | null) => field?.focus();

interface TypedSignIn {
  readonly username: string;
  readonly password: string;
  readonly schoolDb: string;
  readonly isShared: boolean;
}

interface SignInFieldsProps {
  readonly again: PreviousUser | undefined;
  readonly withSchool?: boolean;
  readonly onSubmit: (typed: TypedSignIn) => void;
  readonly otherWays: (isShared: boolean) => ReactNode;
  readonly pending: boolean;
  /** The text shown when the password is right but has expired. */
  readonly ended: string;
  readonly error: unknown;
}

function SignInFields(props: SignInFieldsProps) {
  const { again, withSchool = false, onSubmit, otherWays, pending, ended, error } = props;
  const t = useTexts(texts);
  const [username, setUsername] = useState(again?.username ?? '');
  const [password, setPassword] = useState('');
  const [schoolDb, setSchoolDb] = useState('');
  const [isShared, setShared] = useState(sharedComputer.get);
  const wrong = t(again ? 'wrongAgain' : withSchool ? 'wrongWithSchool' : 'wrongLogin');
  const hasEnded = error instanceof ApiFailure && error.reason === 'passwordEnded';
  const faults = {
    username: username.trim() === '' && t('required'),
    password: password === '' && t('required'),
  };
  const { form, shown } = useForm(faults, () => {
    onSubmit({ username, password, schoolDb: schoolDb.trim(), isShared });
  });
  // Stored at once, so that passkeys and sign-in services use the choice too.
  const share = (isSharedNow: boolean) => {
    sharedComputer.keep(isSharedNow);
    setShared(isSharedNow);
  };
  return (
    <form {...form}>
      <Stack>
        <TextInput
          label={t('username')}
          value={username}
          onChange={(event) => setUsername(event.currentTarget.value)}
          autoComplete="username"
          error={shown.username}
          autoCapitalize="none"
          spellCheck={false}
          required
          withAsterisk={false}
          data-autofocus
        />
        <PasswordInput
          label={t('password')}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={shown.password}
          autoComplete="current-password"
          required
          withAsterisk={false}
        />
        {withSchool && (
          <TextInput
            label={t('schoolCode')}
            description={t('schoolHint')}
            value={schoolDb}
            onChange={(event) => setSchoolDb(event.currentTarget.value)}
            ref={focusOnMount}
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
        <SharedComputerChoice isShared={isShared} onChange={share} />
        <FailureAlert error={error} sentences={{ 401: hasEnded ? ended : wrong, 409: t('severalSchools') }} />
        <Button type="submit" size="md" fullWidth loading={pending}>
          {t('signIn')}
        </Button>
        <LazyBoundary>{otherWays(isShared)}</LazyBoundary>
      </Stack>
    </form>
  );
}

interface SharedComputerChoiceProps {
  readonly isShared: boolean;
  readonly onChange: (isShared: boolean) => void;
}

/** Uses the browser's checkbox, because the library's is larger than all other code of the sign-in. */
function SharedComputerChoice({ isShared, onChange }: SharedComputerChoiceProps) {
  const t = useTexts(texts);
  const id = useId();
  return (
    <Group component="label" wrap="nowrap" align="flex-start" gap="sm" mih={44} fz="sm">
      <Box
        component="input"
        type="checkbox"
        w={20}
        h={20}
        m="1px 0 0"
        style={{ accentColor: 'var(--app-accent)' }}
        checked={isShared}
        onChange={(event) => onChange(event.currentTarget.checked)}
        aria-labelledby={id}
        aria-describedby={`${id}-hint`}
      />
      <span>
        <span id={id}>{t('sharedComputer')}</span>
        <Text span display="block" id={`${id}-hint`} mt={2} fz="xs" lh={1.45} c="dimmed">
          {t('sharedComputerHint')}
        </Text>
      </span>
    </Group>
  );
}
