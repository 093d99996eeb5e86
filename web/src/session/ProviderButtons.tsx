import { Alert, Button, Divider, Stack, Text, TextInput } from '@mantine/core';
import { IconLogin2 } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { call } from '../api/call.ts';
import type { DataOf } from '../api/operation-types.ts';
import { useOperation } from '../api/queries.ts';
import { useTexts } from '../i18n/texts.ts';
import { adminHint } from './admin-hint.ts';
import { providerTexts } from './provider-texts.ts';
import { sharedComputer } from './stored-session.ts';

/** `server/src/http/sign-in-pages.ts` sends a message here when the window returns from a sign-in service. */
const channel = 'classledger-provider';

type Provider = DataOf<'listSignInChoices'>['providers'][number];

function providerUrl(
  { id, schoolDb }: Provider,
  as: 'admin' | 'student' | 'confirmation',
  extraQuery: Readonly<Record<string, string>> = {},
): string {
  const asking = as === 'admin' && { confirmations: '1' };
  const query = new URLSearchParams({ for: as, schoolDb, ...asking, ...extraQuery });
  return `/api/auth/sso/${id}/start?${query}`;
}

/** Returns a function that opens a sign-in service in a window, so that the page keeps its input, and waits for it. */
function useProviderWindow(): (address: string, onDone: () => void) => void {
  const listener = useRef<BroadcastChannel>(null);
  useEffect(() => () => listener.current?.close(), []);
  return (address, onDone) => {
    listener.current?.close();
    const opened = new BroadcastChannel(channel);
    listener.current = opened;
    opened.onmessage = () => {
      opened.close();
      onDone();
    };
    open(address, 'classledger-provider', 'popup,width=520,height=680');
  };
}

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
export default function ProviderButtons({ as, isShared, again, onSignedIn }: ProviderButtonsProps) {
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
    data.askForSchool || others.data?.askForSchool || (others.data && others.data.providers.length > 0);
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

interface ProviderButtonProps {
  readonly as: 'admin' | 'student';
  readonly isShared: boolean;
  readonly provider: Provider;
  /** Opens the provider in a window above the page; null to leave the page for the provider. */
  readonly onWindow: (() => void) | null;
}

function ProviderButton({ as, isShared, provider, onWindow }: ProviderButtonProps) {
  const t = useTexts(providerTexts);
  const look = {
    variant: 'default',
    size: 'md',
    fullWidth: true,
    leftSection: <IconLogin2 aria-hidden size={18} />,
    children: t('signInAt', { name: provider.name }),
  } as const;
  if (onWindow) return <Button {...look} onClick={onWindow} />;
  const goOn = location.pathname + location.search;
  const address = providerUrl(provider, as, { return: goOn, ...(isShared && { shared: '1' }) });
  const leave = () => {
    sharedComputer.keep(isShared);
    localStorage.setItem(schoolKey, provider.schoolDb);
  };
  return <Button {...look} component="a" href={address} onClick={leave} />;
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

interface ConfirmAtProviderProps {
  readonly schoolId: number | null;
  readonly onConfirmed: () => void;
}

/** Confirms at a sign-in service of the school; renders nothing if the school has none. */
export function ConfirmAtProvider({ schoolId, onConfirmed }: ConfirmAtProviderProps) {
  const t = useTexts(providerTexts);
  const query = { for: 'administrators', schoolDb: `school_${schoolId}` } as const;
  const { data } = useOperation('listSignInChoices', { query }, { enabled: schoolId !== null });
  const openWindow = useProviderWindow();
  return data?.providers.map((provider) => (
    <Button
      key={provider.id}
      variant="default"
      fullWidth
      onClick={() => openWindow(providerUrl(provider, 'confirmation'), onConfirmed)}
    >
      {t('confirmAt', { name: provider.name })}
    </Button>
  ));
}
