import { limits } from 'virtual:contract';
import type { Application } from '@classledger/contract';
import {
  Anchor,
  Badge,
  Box,
  Button,
  DataList,
  Group,
  Modal,
  Stack,
  Text,
  Textarea,
  Title,
} from '@mantine/core';
import { useState } from 'react';
import type { DialogProps } from '../../../components/ConfirmDialog.tsx';
import { DateText } from '../../../components/DateText.tsx';
import { FailureAlert } from '../../../components/FailureAlert.tsx';
import { useIsPhone } from '../../../components/use-is-phone.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Fact } from '../../Fact.tsx';
import { useOpenDialog } from '../../page/dialogs.tsx';
import { defineWrite, useRunWrite } from '../../page/write.ts';
import { useSchools } from '../../school.tsx';
import { SchoolForm, useOpenSchool } from '../SchoolForm.tsx';
import { texts } from './texts.ts';

interface ApplicationDialogProps extends DialogProps {
  readonly application: Application;
  /** Notes that were typed but not saved, by the id of the application. */
  readonly notes: Map<number, string>;
}

export function ApplicationDialog({ opened, onClose, application, notes }: ApplicationDialogProps) {
  const open = useOpenDialog();
  const [shown, setShown] = useState(application);
  const reopen = () => open((dialog) => <ApplicationDialog {...dialog} application={shown} notes={notes} />);
  const createSchool = () =>
    open((dialog) => (
      <SchoolForm {...dialog} onClose={reopen} initialName={shown.schoolName} withNotice={false} />
    ));
  return (
    <Modal opened={opened} onClose={onClose} title={shown.schoolName} size="lg">
      <Stack gap="lg">
        <Facts application={shown} />
        <Review application={shown} notes={notes} onReviewed={setShown} onClose={onClose} />
        {shown.status === 'approved' && <NextStep application={shown} onCreateSchool={createSchool} />}
      </Stack>
    </Modal>
  );
}

function Facts({ application }: { readonly application: Application }) {
  const t = useTexts(texts);
  const onPhone = useIsPhone();
  const { status, reviewedAt, reviewedBy, contactPhone } = application;
  const decision = reviewedBy ? t('reviewedBy', { status: t(status), name: reviewedBy.username }) : t(status);
  const dial = contactPhone.replace(/[^\d+]/g, '');
  return (
    <DataList size="md" gap={10} orientation={onPhone ? 'vertical' : 'horizontal'}>
      <Fact name={t('status')}>
        {reviewedAt === null ? (
          <StatusBadge status={status} />
        ) : (
          <>
            {decision} · <DateText value={reviewedAt} />
          </>
        )}
      </Fact>
      <Fact name={t('applicant')}>{application.applicantName}</Fact>
      <Fact name={t('phone')}>
        {dial === '' ? contactPhone : <Anchor href={`tel:${dial}`}>{contactPhone}</Anchor>}
      </Fact>
      <Fact name={t('submitted')}>
        <DateText value={application.createdAt} />
      </Fact>
      <Fact name={t('reason')}>
        <span style={{ whiteSpace: 'pre-wrap' }}>{application.reason}</span>
      </Fact>
    </DataList>
  );
}

const decisions = [
  ['rejected', 'reject', 'default'],
  ['approved', 'approve', 'filled'],
] as const;

interface ReviewProps extends Pick<ApplicationDialogProps, 'application' | 'notes' | 'onClose'> {
  readonly onReviewed: (application: Application) => void;
}

function Review({ application, notes, onReviewed, onClose }: ReviewProps) {
  const t = useTexts(texts);
  const { id, status } = application;
  const [note, setNote] = useState(notes.get(id) ?? application.reviewNote ?? '');
  const [decision, setDecision] = useState<'approved' | 'rejected'>();
  const { run, isPending, error } = useRunWrite();
  const type = (typed: string) => {
    setNote(typed);
    notes.set(id, typed);
  };
  const answer = (chosen: 'approved' | 'rejected') => {
    setDecision(chosen);
    const body = { status: chosen, reviewNote: note.trim() };
    run(
      defineWrite('reviewApplication', { params: { id }, body }, (reviewed) => {
        onReviewed(reviewed);
        // An approved application stays open to show the next step, which a notice would cover on a phone.
        if (reviewed.status === 'approved') return null;
        onClose();
        return t('rejectedDone', { name: reviewed.schoolName });
      }),
    );
  };
  return (
    <Stack gap="sm">
      <Textarea
        label={t('note')}
        description={t('noteHint')}
        value={note}
        onChange={(event) => type(event.currentTarget.value)}
        maxLength={limits.applicationReasonLengthMax}
        autosize
        minRows={2}
        maxRows={8}
      />
      <FailureAlert error={error} />
      {/* Both buttons stay, because a decision can be changed. */}
      <Group justify="flex-end">
        {decisions.map(
          ([chosen, text, variant]) =>
            status !== chosen && (
              <Button
                key={chosen}
                variant={variant}
                onClick={() => answer(chosen)}
                loading={isPending && decision === chosen}
                disabled={isPending && decision !== chosen}
              >
                {t(text)}
              </Button>
            ),
        )}
      </Group>
    </Stack>
  );
}

/** Offers to create the school, because approving does not create it. If it exists, offers to open it. */
function NextStep({
  application,
  onCreateSchool,
}: Pick<ApplicationDialogProps, 'application'> & { readonly onCreateSchool: () => void }) {
  const t = useTexts(texts);
  const { schools } = useSchools();
  const open = useOpenSchool();
  const existing = schools.find(({ name }) => name === application.schoolName);
  return (
    <Box component="section" p="md" bdrs="md" bg="var(--app-accent-soft)" aria-live="polite">
      <Title order={3}>{t(existing ? 'existsTitle' : 'nextTitle')}</Title>
      <Text mt={2} mb="sm">
        {t(existing ? 'existsText' : 'nextText')}
      </Text>
      {existing ? (
        <Button variant="default" onClick={() => open(existing.schoolDb)}>
          {t('openSchool')}
        </Button>
      ) : (
        <Button onClick={onCreateSchool}>{t('createNow')}</Button>
      )}
    </Box>
  );
}

/** Pending applications stand out by a filled badge, because yellow would be too pale to read. */
const badgeVariants = {
  pending: { variant: 'filled' },
  approved: { variant: 'light' },
  rejected: { variant: 'light', color: 'gray' },
} satisfies Record<Application['status'], object>;

export function StatusBadge({ status }: { readonly status: Application['status'] }) {
  const t = useTexts(texts);
  return (
    <Badge {...badgeVariants[status]} tt="none">
      {t(status)}
    </Badge>
  );
}
