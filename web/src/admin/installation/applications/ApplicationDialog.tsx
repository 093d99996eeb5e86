import { limits } from 'virtual:contract';
import type { Application } from '@classledger/contract';
import { Anchor, Badge, Button, Group, Modal, Stack, Text, Textarea, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { useMutationOf } from '../../../api/queries.ts';
import { DateText } from '../../../components/DateText.tsx';
import { FailureAlert } from '../../../components/FailureAlert.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchools } from '../../school.tsx';
import { useOpenSchool } from '../use-open-school.ts';
import classes from './ApplicationDialog.module.css';
import { texts } from './texts.ts';

interface ApplicationDialogProps {
  readonly application: Application;
  readonly opened: boolean;
  readonly onClose: () => void;
  /** The text typed so far; the page keeps it, so that closing by mistake loses nothing. */
  readonly note: string;
  readonly onNote: (note: string) => void;
  readonly onReviewed: (application: Application) => void;
  readonly onCreateSchool: () => void;
}

export function ApplicationDialog({ opened, onClose, ...content }: ApplicationDialogProps) {
  const { application } = content;
  return (
    <Modal opened={opened} onClose={onClose} title={application.schoolName} size="lg">
      <Stack gap="lg">
        <Facts application={application} />
        <Review {...content} />
        {application.status === 'approved' && <NextStep {...content} />}
      </Stack>
    </Modal>
  );
}

function Facts({ application }: { readonly application: Application }) {
  const t = useTexts(texts);
  const { status, reviewedAt, reviewedBy, contactPhone } = application;
  const decision = reviewedBy
    ? t('reviewedBy', { status: t(status), name: reviewedBy.username })
    : t('reviewedByNobody', { status: t(status) });
  const dial = contactPhone.replace(/[^\d+]/g, '');
  return (
    <dl className={classes.facts}>
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
      <Fact name={t('reason')}>{application.reason}</Fact>
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Review({
  application,
  note,
  onNote,
  onReviewed,
}: Omit<ApplicationDialogProps, 'opened' | 'onClose'>) {
  const t = useTexts(texts);
  const { id, status } = application;
  const review = useMutationOf('reviewApplication', {
    onSuccess: (reviewed) => {
      // An approved application stays open and shows the next step; on a phone, a message would cover it.
      if (reviewed.status === 'rejected') {
        notifications.show({ message: t('rejectedDone', { name: reviewed.schoolName }) });
      }
      onReviewed(reviewed);
    },
  });
  const answer = (decision: 'approved' | 'rejected') =>
    review.mutate({ params: { id }, body: { status: decision, reviewNote: note.trim() } });
  const isPending = (decision: string) => review.isPending && review.variables.body.status === decision;
  return (
    <Stack gap="sm">
      <Textarea
        label={t('note')}
        description={t('noteHint')}
        value={note}
        onChange={(event) => onNote(event.currentTarget.value)}
        maxLength={limits.applicationReasonLengthMax}
        autosize
        minRows={2}
        maxRows={8}
      />
      <FailureAlert error={review.error} />
      {/* A decision can be changed; the newest one counts. */}
      <Group justify="flex-end">
        {status !== 'rejected' && (
          <Button
            variant="default"
            onClick={() => answer('rejected')}
            loading={isPending('rejected')}
            disabled={isPending('approved')}
          >
            {t('reject')}
          </Button>
        )}
        {status !== 'approved' && (
          <Button
            onClick={() => answer('approved')}
            loading={isPending('approved')}
            disabled={isPending('rejected')}
          >
            {t('approve')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

/** Approving creates no school; offers to create one unless it exists. */
function NextStep({
  application,
  onCreateSchool,
}: Pick<ApplicationDialogProps, 'application' | 'onCreateSchool'>) {
  const t = useTexts(texts);
  const { schools } = useSchools();
  const open = useOpenSchool();
  const existing = schools.find(({ name }) => name === application.schoolName);
  return (
    <section className={classes.next} aria-live="polite">
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
    </section>
  );
}

/** Pending ones stand out; yellow would be too pale to read. */
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
