import { limits } from 'virtual:contract';
import { Alert, Button, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMutationOf } from '../api/queries.ts';
import { FailureAlert } from '../components/FailureAlert.tsx';
import { useForm } from '../components/use-form.ts';
import { useTexts } from '../i18n/texts.ts';
import { texts } from './texts.ts';

const blank = { schoolName: '', applicantName: '', contactPhone: '', reason: '' };

export default function ApplicationForm() {
  const t = useTexts(texts);
  const [typed, setTyped] = useState(blank);
  const submitApplication = useMutationOf('submitApplication', {
    onSuccess: () => {
      setTyped(blank);
      restart();
    },
  });
  const faults = Object.fromEntries(
    Object.entries(typed).map(([name, value]) => [name, value.trim() === '' && t('required')]),
  );
  const { form, shown, restart } = useForm(faults, () => submitApplication.mutate({ body: typed }));
  const field = (name: keyof typeof blank) => ({
    value: typed[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget;
      setTyped((before) => ({ ...before, [name]: value }));
    },
    maxLength: name === 'reason' ? limits.applicationReasonLengthMax : limits.applicationTextLengthMax,
    required: true,
    withAsterisk: false,
    error: shown[name],
  });
  if (submitApplication.data) {
    return (
      <Alert color="plus" title={t('appliedTitle')} role="status">
        <Stack align="flex-start">
          <Text size="sm">{t('appliedText', { id: submitApplication.data.id })}</Text>
          <Button variant="default" size="xs" onClick={submitApplication.reset}>
            {t('applyAnother')}
          </Button>
        </Stack>
      </Alert>
    );
  }
  return (
    <form {...form}>
      <Stack>
        <Text c="dimmed">{t('applyText')}</Text>
        <TextInput label={t('schoolName')} autoComplete="organization" {...field('schoolName')} />
        <TextInput label={t('applicantName')} autoComplete="name" {...field('applicantName')} />
        <TextInput label={t('contactPhone')} type="tel" autoComplete="tel" {...field('contactPhone')} />
        <Textarea label={t('applyReason')} minRows={3} autosize {...field('reason')} />
        <FailureAlert error={submitApplication.error} />
        <Button type="submit" size="md" loading={submitApplication.isPending}>
          {t('apply')}
        </Button>
      </Stack>
    </form>
  );
}
