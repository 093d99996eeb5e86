import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { DataOf } from '../api/operation-types.ts';
import { FailureAlert } from '../components/FailureAlert.tsx';
import { useForm } from '../components/use-form.ts';
import { useTexts } from '../i18n/texts.ts';
import { factorTexts } from './factor-texts.ts';
import PasskeySignIn from './PasskeyButton.tsx';
import { PasskeyPlaceholder } from './PasskeyPlaceholder.tsx';

interface CodeStepProps {
  readonly onSubmit: (code: string) => void;
  readonly onBack: () => void;
  readonly onStep: ((title?: string) => void) | undefined;
  readonly onSignedIn: (me: DataOf<'login'>) => void;
  readonly isShared: boolean;
  readonly pending: boolean;
  readonly error: unknown;
}

export default function CodeStep(props: CodeStepProps) {
  const { onSubmit, onBack, onStep, onSignedIn, isShared, pending, error } = props;
  const t = useTexts(factorTexts);
  const [by, setBy] = useState<'app' | 'recovery'>('app');
  const [code, setCode] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const { form, shown } = useForm({ code: code.trim() === '' && t('required') }, () => onSubmit(code.trim()));
  // biome-ignore lint/correctness/useExhaustiveDependencies: focuses again when the kind of code changes
  useEffect(() => field.current?.focus(), [by]);
  const title = t('codeTitle');
  useEffect(() => {
    onStep?.(title);
    return () => onStep?.();
  }, [onStep, title]);
  const isApp = by === 'app';
  const change = (typed: string) => {
    setCode(typed);
    if (isApp && /^\d{3}\s?\d{3}$/.test(typed.trim()) && !pending) onSubmit(typed.trim());
  };
  return (
    <form {...form}>
      <Stack>
        <Text size="sm" role="status">
          {t(isApp ? 'codeText' : 'recoveryText')}
        </Text>
        <TextInput
          ref={field}
          key={by}
          label={t(isApp ? 'code' : 'recoveryCode')}
          value={code}
          onChange={(event) => change(event.currentTarget.value)}
          error={shown.code}
          autoComplete="one-time-code"
          inputMode={isApp ? 'numeric' : 'text'}
          autoCapitalize="none"
          spellCheck={false}
          maxLength={isApp ? 7 : 40}
        />
        <FailureAlert error={error} sentences={{ 401: t(isApp ? 'wrongCode' : 'wrongRecovery') }} />
        <Button type="submit" size="md" fullWidth loading={pending}>
          {t('signIn')}
        </Button>
        <PasskeyPlaceholder>
          <PasskeySignIn isShared={isShared} onSignedIn={onSignedIn} />
        </PasskeyPlaceholder>
        <Group justify="space-between">
          <Anchor component="button" type="button" size="sm" onClick={onBack}>
            {t('back')}
          </Anchor>
          <Anchor
            component="button"
            type="button"
            size="sm"
            onClick={() => {
              setCode('');
              setBy(isApp ? 'recovery' : 'app');
            }}
          >
            {t(isApp ? 'useRecovery' : 'useApp')}
          </Anchor>
        </Group>
        <Text size="sm" c="dimmed">
          {t('lost')}
        </Text>
      </Stack>
    </form>
  );
}
