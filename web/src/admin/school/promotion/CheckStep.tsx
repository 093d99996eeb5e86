import { Alert, Button, Group, List, Radio, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconSchool } from '@tabler/icons-react';
import { useState } from 'react';
import { hasStatus } from '../../../api/api-failure.ts';
import { newIdempotencyKey } from '../../../api/call.ts';
import type { DataOf } from '../../../api/operation-types.ts';
import { useMutationOf } from '../../../api/queries.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { Hint } from '../../../components/Hint.tsx';
import { useLanguage, useTexts } from '../../../i18n/texts.ts';
import { PageLink } from '../../PageLink.tsx';
import { useSchool } from '../../school.tsx';
import {
  type PromotionPreview,
  type promotionPlanOf,
  studentCountOf,
  summarizePreview,
} from './promotion-draft.ts';
import { texts } from './texts.ts';

interface CheckStepProps {
  readonly preview: PromotionPreview;
  readonly plan: ReturnType<typeof promotionPlanOf>;
  readonly onBack: () => void;
  readonly onStale: () => void;
  readonly onDone: (promotion: DataOf<'promoteSchool'>) => void;
}

export function CheckStep({ preview, plan, onBack, onStale, onDone }: CheckStepProps) {
  const t = useTexts(texts);
  const { schoolDb, name: schoolName } = useSchool();
  const [asking, setAsking] = useState(false);
  const [teaching, setTeaching] = useState('keep');
  const [key] = useState(newIdempotencyKey);
  const promote = useMutationOf('promoteSchool', { onSuccess: onDone });
  const { moving, graduating, renamed, inTerm } = summarizePreview(preview);
  const { problems, graduatedGradeName, teaching: assignments } = preview;
  const of = (some: typeof moving) => ({
    classes: t('classes', { count: some.length }),
    students: t('studentCount', { count: studentCountOf(some) }),
  });
  const nothing = moving.length + graduating.length + renamed.length === 0;
  return (
    <Stack>
      {(problems.length > 0 || nothing) && (
        <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={t('cannot')} role="alert">
          <List size="sm" spacing={4}>
            {nothing && <List.Item>{t('nothing')}</List.Item>}
            {problems.map(({ kind, classId, name }) => (
              <List.Item key={`${kind} ${classId}`}>{t(`problem_${kind}`, { name: name ?? '' })}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      <Stack
        component="ul"
        gap={10}
        m={0}
        p="14px 18px 14px 36px"
        bd="1px solid var(--app-line)"
        bdrs="lg"
        bg="var(--app-surface)"
      >
        {moving.length > 0 && <li>{t('outcomeMoving', of(moving))}</li>}
        {graduating.length > 0 && (
          <li>
            {t('outcomeGraduating', { ...of(graduating), grade: graduatedGradeName })}
            <Hint>{t('outcomeArchived')}</Hint>
          </li>
        )}
        {renamed.length > 0 && (
          <li>
            {t('outcomeRenamed', { count: renamed.length })}
            <SimpleGrid
              component="ul"
              minColWidth="8.5em"
              spacing="md"
              verticalSpacing={2}
              m="4px 0 0"
              p={0}
              fz="sm"
              c="dimmed"
              style={{ listStyle: 'none', wordBreak: 'keep-all', overflowWrap: 'anywhere' }}
            >
              {renamed.map(({ classId, className, name }) => (
                <li key={classId}>{t('renamedTo', { before: className, after: name })}</li>
              ))}
            </SimpleGrid>
          </li>
        )}
        <li>{t('outcomeStays')}</li>
      </Stack>
      {inTerm.length > 0 && (
        <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />}>
          {t('inTerm', { count: inTerm.length })}{' '}
          <PageLink to="/terms" size="sm" underline="always">
            {t('endTerm')}
          </PageLink>
        </Alert>
      )}
      {assignments > 0 && (
        <Radio.Group
          label={t('teaching', { count: assignments })}
          description={t('teachingHint')}
          value={teaching}
          onChange={setTeaching}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="keep" label={t('keepTeaching')} />
            <Radio value="clear" label={t('clearTeaching')} />
          </Stack>
        </Radio.Group>
      )}
      <AffectedPeople preview={preview} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onBack}>
          {t('back')}
        </Button>
        <Button
          leftSection={<IconSchool aria-hidden size={16} />}
          disabled={problems.length > 0 || nothing}
          onClick={() => setAsking(true)}
        >
          {t('promote')}
        </Button>
      </Group>
      <ConfirmDialog
        opened={asking}
        onClose={() => {
          setAsking(false);
          if (hasStatus(promote.error, 409)) onStale();
        }}
        title={t('confirmTitle')}
        confirmLabel={t('promote')}
        danger
        typedText={graduating.length > 0 ? graduatedGradeName : schoolName}
        onConfirm={() =>
          promote.mutate({
            body: {
              schoolDb,
              fingerprint: preview.fingerprint,
              ...plan,
              clearTeaching: teaching === 'clear',
            },
            idempotencyKey: key,
          })
        }
        mutation={promote}
        sentences={{ 409: t('stale') }}
      >
        <Text size="sm">{t('confirmText')}</Text>
      </ConfirmDialog>
    </Stack>
  );
}

function AffectedPeople({ preview }: Pick<CheckStepProps, 'preview'>) {
  const t = useTexts(texts);
  const list = new Intl.ListFormat(useLanguage());
  const gradeName = (id: number | null) =>
    preview.classes.find(({ gradeId }) => gradeId === id)?.gradeName ??
    preview.classes.find(({ toGradeId }) => toGradeId === id)?.toGradeName ??
    '';
  const named = (name: string, place: string) => (place === '' ? name : t('nameIn', { name, place }));
  const staying = preview.credentials.filter(({ effect }) => effect === 'stays');
  const stopping = preview.credentials.filter(({ effect }) => effect === 'stops');
  const parts = [
    [t('heads'), preview.heads.map(({ username, gradeId }) => named(username, gradeName(gradeId)))],
    [t('gradeCredentials'), staying.map(({ name, gradeId }) => named(name, gradeName(gradeId)))],
    [t('stoppingCredentials'), stopping.map(({ name, className }) => named(name, className ?? ''))],
    [t('signInServices'), preview.signInProviders.map(({ name, className }) => named(name, className))],
  ] as const;
  return parts.map(
    ([what, who]) =>
      who.length > 0 && (
        <div key={what}>
          <Text size="sm">{what}</Text>
          <Hint>{list.format(who)}</Hint>
        </div>
      ),
  );
}
