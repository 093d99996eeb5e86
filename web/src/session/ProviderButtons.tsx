import { Alert, Button, Divider, Stack, Text, TextInput } from '@mantine/core';
import { IconLogin2 } from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import { call } from '../api/call.ts';
import type { DataOf } from '../api/operation-types.ts';
import { useOperation } from '../api/queries.ts';
import { useTexts } from '../i18n/texts.ts';
import { adminHint } from './admin-hint.ts';
import { providerTexts } from './provider-texts.ts';
import { type Provider, providerUrl, useProviderWindow } from './provider-window.ts';
import { sharedComputer } from './stored-session.ts';

type Choices = DataOf<'listSignInChoices'>;

interface ProviderButtonsProps {
  readonly as: 'admin' | 'student';
  readonly isShared: boolean;
  /** Set when the person's session has expired; undefined on the sign-in page. */
  readonly again?: { readonly schoolId: number | null } | undefined;
  readonly onSignedIn?: ((me: DataOf<'getMe'>) => void) | undefined;
}

const schoolKey = 'classledger.sign-in-school';

const firstSchool = () =>
  new URLSearchParams(location.search).get('school') ?? localStorage.getItem(schoolKey) ?? undefined;

/** Lists sign-in services. Renders nothing while they load, so that the form above can be used at once. */
export function ProviderButtons({ as, isShared, again, onSignedIn }: ProviderButtonsProps) {
  const t = useTexts(providerTexts);
  const [schoolDb, setSchoolDb] = useState(() =>
    again?.schoolId ? `school_${again.schoolId}` : firstSchool(),
  );
  const [asks, setAsks] = useState(false);
  const audience = as === 'admin' ? 'administrators' : 'students';
  const { data } = useOperation('listSignInChoices', { query: { for: audience, schoolDb } });
  const others = useOperation(
    'listSignInChoices',
    { query: { for: audience } },
    { enabled: schoolDb !== undefined && data?.providers.length === 0 },
  );
  const openWindow = useProviderWindow();
  if (!data) return null;
  const isUnknown = data.providers.length === 0;
  const mayAsk =
    data.askForSchool || (others.data && (others.data.askForSchool || hasProviders(others.data)));
  if (isUnknown && !mayAsk) return null;
  const forget = () => {
    localStorage.removeItem(schoolKey);
    setSchoolDb(undefined);
    setAsks(true);
  };
  const inWindow = (provider: Provider) => {
    const address = providerUrl(provider, 'admin', { popup: '1', ...(isShared && { shared: '1' }) });
    openWindow(address, () => {
      adminHint.recordSignIn();
      void call('getMe').then((me) => onSignedIn?.(me));
    });
  };
  return (
    <Stack gap="sm">
      <Divider label={t('or')} />
      {!data.localSignIn && <Text size="sm">{t('onlyHere')}</Text>}
      {data.providers.map((provider) => (
        <ProviderButton
          key={provider.id}
          as={as}
          isShared={isShared}
          provider={provider}
          onWindow={again && as === 'admin' ? () => inWindow(provider) : null}
        />
      ))}
      {isUnknown && (
        <SchoolQuestion
          isOpen={asks}
          onOpen={() => setAsks(true)}
          isWrong={schoolDb !== undefined && asks}
          onSchool={setSchoolDb}
        />
      )}
      {!isUnknown && schoolDb !== undefined && !again && (
        <Button variant="subtle" color="gray" size="compact-sm" onClick={forget}>
          {t('otherSchool')}
        </Button>
      )}
    </Stack>
  );
}

const hasProviders = ({ providers }: Choices) => providers.length > 0;

interface ProviderButtonProps {
  readonly as: 'admin' | 'student';
  readonly isShared: boolean;
  readonly provider: Provider;
  /** Opens the provider in a window above the page; null to leave the page for the provider. */
  readonly onWindow: (() => void) | null;
}

function ProviderButton({ as, isShared, provider, onWindow }: ProviderButtonProps) {
  const t = useTexts(providerTexts);
  const look = { variant: 'default', size: 'md', fullWidth: true } as const;
  const icon = <IconLogin2 aria-hidden size={18} />;
  const label = t('signInAt', { name: provider.name });
  if (onWindow) {
    return (
      <Button {...look} leftSection={icon} onClick={onWindow}>
        {label}
      </Button>
    );
  }
  const goOn = location.pathname + location.search;
  const address = providerUrl(provider, as, { return: goOn, ...(isShared && { shared: '1' }) });
  const leave = () => {
    sharedComputer.keep(isShared);
    localStorage.setItem(schoolKey, provider.schoolDb);
  };
  return (
    <Button {...look} component="a" href={address} leftSection={icon} onClick={leave}>
      {label}
    </Button>
  );
}

interface SchoolQuestionProps {
  readonly isOpen: boolean;
  readonly onOpen: () => void;
  readonly isWrong: boolean;
  readonly onSchool: (schoolDb: string) => void;
}

/** Asks for the school's code, because the installation does not list its schools to strangers. */
function SchoolQuestion({ isOpen, onOpen, isWrong, onSchool }: SchoolQuestionProps) {
  const t = useTexts(providerTexts);
  const [code, setCode] = useState('');
  if (!isOpen) {
    return (
      <Button variant="default" fullWidth onClick={onOpen}>
        {t('askSchool')}
      </Button>
    );
  }
  const send = () => {
    if (code.trim() !== '') onSchool(code.trim());
  };
  return (
    <>
      <TextInput
        label={t('schoolCode')}
        description={t('codeHint')}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        // The field is inside the password form, so Enter must not submit that form.
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          send();
        }}
        autoCapitalize="none"
        spellCheck={false}
      />
      {isWrong && (
        <Alert color="gray" role="status" py="xs">
          {t('none')}
        </Alert>
      )}
      <Button variant="default" fullWidth onClick={send}>
        {t('next')}
      </Button>
    </>
  );
}
