import { Alert } from '@mantine/core';
import { IconAlertTriangle, IconSitemap } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useMutationOf, useOperation } from '../../../api/queries.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { LoadingOrError } from '../../../components/LoadingOrError.tsx';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { UnsavedChangesGuard } from '../../../components/UnsavedChangesGuard.tsx';
import { useFailureNotice } from '../../../components/use-failure-notice.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { dayBefore, useSchoolTime } from '../../../school-time/school-time.ts';
import { BackLink } from '../../BackLink.tsx';
import { PageLink } from '../../PageLink.tsx';
import { Steps } from '../../Steps.tsx';
import { useSchool } from '../../school.tsx';
import { CheckStep } from './CheckStep.tsx';
import { PlanStep } from './PlanStep.tsx';
import { PromotionDetails } from './PromotionDetails.tsx';
import {
  lastPromotionSince,
  type PromotionDraft,
  type PromotionPreview,
  promotionDraftOf,
  promotionPlanOf,
} from './promotion-draft.ts';
import { texts } from './texts.ts';

export default function PromotionPage() {
  const t = useTexts(texts);
  const { promotion } = useSearch({ from: '/shell/structure/promotion' });
  return (
    <>
      <BackLink to="/structure">{t('structure')}</BackLink>
      {promotion === undefined ? <Planning /> : <PromotionDetails id={promotion} />}
    </>
  );
}

function Planning() {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const navigate = useNavigate();
  const client = useQueryClient();
  const proposal = useOperation('previewPromotion', { body: { schoolDb } });
  const grades = useOperation('listSchoolGrades', { query: { schoolDb } });
  const [changed, setChanged] = useState<PromotionDraft | null>(null);
  const [checked, setChecked] = useState<PromotionPreview | null>(null);
  const [done, setDone] = useState(false);
  const check = useMutationOf('previewPromotion', {
    onSuccess: (preview) => {
      setChecked(preview);
      window.scrollTo(0, 0);
    },
    onError: useFailureNotice(),
  });
  // Deletes the proposal when the page is left, so that the next visit gets a new one.
  useEffect(() => () => client.removeQueries({ queryKey: ['previewPromotion'] }), [client]);
  const draft = changed ?? (proposal.data ? promotionDraftOf(proposal.data) : null);
  const refetch = () => void Promise.all([proposal.refetch(), grades.refetch()]);
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} />
      <LastPromotion />
      <Steps
        label={t('steps')}
        steps={(['stepPlan', 'stepCheck'] as const).map((step) => ({ step, label: t(step) }))}
        active={checked ? 'stepCheck' : 'stepPlan'}
        onBack={() => setChecked(null)}
      />
      {!proposal.data || !grades.data || !draft ? (
        <LoadingOrError of={[proposal, grades]} height={56} />
      ) : proposal.data.classes.length === 0 ? (
        <EmptyState icon={IconSitemap} title={t('noneTitle')} hint={t('noneHint')} />
      ) : checked ? (
        <CheckStep
          preview={checked}
          plan={promotionPlanOf(draft)}
          onBack={() => setChecked(null)}
          onStale={() => {
            setChecked(null);
            setChanged(null);
            refetch();
          }}
          onDone={({ id }) => {
            setDone(true);
            void navigate({ to: '/structure/promotion', search: { promotion: id }, replace: true });
          }}
        />
      ) : (
        <PlanStep
          proposal={proposal.data}
          grades={grades.data}
          draft={draft}
          onChange={setChanged}
          onNext={() => check.mutate({ body: { schoolDb, plan: promotionPlanOf(draft) } })}
          pending={check.isPending}
        />
      )}
      <UnsavedChangesGuard
        active={changed !== null && !done}
        title={t('leaveTitle')}
        text={t('leaveText')}
        confirmLabel={t('leave')}
      />
    </>
  );
}

/** Warns this many days after a promotion, because schools promote only once a year. */
const recentDays = 60;

function LastPromotion() {
  const t = useTexts(texts);
  const format = useFormat();
  const { schoolDb } = useSchool();
  const { today, dayOf } = useSchoolTime();
  // Reads several, because the list also contains promotions that were undone.
  const { data } = useOperation('listPromotions', { query: { schoolDb, page: 1, limit: 20 } });
  const last = lastPromotionSince(data ?? [], dayBefore(today(), recentDays), dayOf);
  if (!last) return null;
  return (
    <Alert color="yellow" mb="md" py="xs" icon={<IconAlertTriangle aria-hidden />}>
      {t('movedUpAlready', { when: format.day(last.createdAt), name: last.name })}{' '}
      <PageLink to="/structure/promotion" search={{ promotion: last.id }} size="sm" underline="always">
        {t(last.undo.isPossible ? 'showOrUndo' : 'showPromotion')}
      </PageLink>
    </Alert>
  );
}
