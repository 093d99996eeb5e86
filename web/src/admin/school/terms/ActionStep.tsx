import { limits } from 'virtual:contract';
import type { Term } from '@classledger/contract';
import { Button, Group, Radio, Stack, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { Hint } from '../../../components/Hint.tsx';
import { useForm } from '../../../components/use-form.ts';
import { useTexts } from '../../../i18n/texts.ts';
import type { TermClosing } from './close-terms.ts';
import { texts } from './texts.ts';

interface ActionStepProps {
  readonly closing: TermClosing;
  readonly onAction: (action: Term['action']) => void;
  readonly onName: (name: string) => void;
  readonly onBack: (() => void) | null;
  readonly onCancel: () => void;
  readonly onConfirm: () => void;
}

export function ActionStep({ closing, onAction, onName, onBack, onCancel, onConfirm }: ActionStepProps) {
  const t = useTexts(texts);
  const [asking, setAsking] = useState(false);
  const { classes: chosen, action } = closing;
  const name = closing.name.trim();
  const sum = (of: (one: (typeof chosen)[number]) => number) =>
    chosen.reduce((total, one) => total + of(one), 0);
  const [only] = chosen;
  const summary = t('summary', {
    name,
    classes:
      chosen.length === 1 && only ? `${only.gradeName} ${only.name}` : t('classes', { count: chosen.length }),
    students: t('studentCount', { count: sum(({ studentCount }) => studentCount) }),
    records: t('recordCount', { count: sum(({ scoreCount }) => scoreCount) }),
  });
  const { form, shown } = useForm({ name: name === '' && t('required') }, () => setAsking(true));
  const choices = [
    { value: 'archive' as const, label: t('archive'), text: t('archiveText') },
    { value: 'reset' as const, label: t('reset'), text: t('resetText') },
  ];
  return (
    <>
      <form {...form}>
        <Stack>
          <div>
            {onBack && <Hint span>{t('step', { step: 2 })}</Hint>}
            <Title order={2} size="h3">
              {t('stepAction')}
            </Title>
          </div>
          <Radio.Group
            aria-label={t('stepAction')}
            value={action}
            onChange={(value) => onAction(value === 'reset' ? 'reset' : 'archive')}
          >
            <Stack gap={10}>
              {choices.map(({ value, label, text }) => (
                <Radio.Card
                  key={value}
                  value={value}
                  px="md"
                  py={14}
                  radius="lg"
                  bd={`1px solid var(--app-${value === action ? 'accent' : 'line'})`}
                  bg={value === action ? 'var(--app-accent-soft)' : 'transparent'}
                  aria-label={label}
                >
                  <Group gap={12} wrap="nowrap" align="flex-start">
                    <Radio.Indicator />
                    <div>
                      <Text fw={600}>{label}</Text>
                      <Hint>{text}</Hint>
                    </div>
                  </Group>
                </Radio.Card>
              ))}
            </Stack>
          </Radio.Group>
          <TextInput
            label={t('name')}
            value={closing.name}
            onChange={(event) => onName(event.currentTarget.value)}
            maxLength={limits.nameLengthMax}
            autoComplete="off"
            withAsterisk
            error={shown.name}
          />
          <div>
            <Text>{summary}</Text>
            <Hint mt={4}>{t('either')}</Hint>
          </div>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onBack ?? onCancel}>
              {onBack ? t('back') : t('cancel')}
            </Button>
            <Button type="submit">{t('next')}</Button>
          </Group>
        </Stack>
      </form>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={t(action === 'archive' ? 'confirmTitleArchive' : 'confirmTitleReset')}
        confirmLabel={t(action === 'archive' ? 'confirmArchive' : 'confirmReset')}
        danger
        typedText={name}
        onConfirm={onConfirm}
      >
        <Text size="sm">{summary}</Text>
        <Hint>{t('confirmText')}</Hint>
      </ConfirmDialog>
    </>
  );
}
