import { Alert } from '@mantine/core';
import { IconArrowBackUp, IconCheck, IconSchoolOff } from '@tabler/icons-react';
import { useState } from 'react';
import { hasStatus } from '../../../api/api-failure.ts';
import { newIdempotencyKey } from '../../../api/call.ts';
import type { DataOf } from '../../../api/operation-types.ts';
import { useOperation } from '../../../api/queries.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { LoadingOrError } from '../../../components/LoadingOrError.tsx';
import { DataTable } from '../../../components/list/DataTable.tsx';
import { type Column, knownRows } from '../../../components/list/data-table-types.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { AskButton } from '../../page/ConfirmWriteDialog.tsx';
import { Page } from '../../page/Page.tsx';
import { defineWrite } from '../../page/write.ts';
import { useSchool } from '../../school.tsx';
import { texts } from './texts.ts';

type Promotion = DataOf<'getPromotion'>;
type Move = Promotion['moves'][number];

export function PromotionDetails({ id }: { readonly id: number }) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const promotion = useOperation('getPromotion', { params: { id }, query: { schoolDb } });
  if (hasStatus(promotion.error, 403, 404)) {
    return <EmptyState icon={IconSchoolOff} title={t('missingTitle')} hint={t('missingHint')} />;
  }
  return promotion.data ? <Details promotion={promotion.data} /> : <LoadingOrError of={[promotion]} />;
}

function Details({ promotion }: { readonly promotion: Promotion }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { name, createdAt, by, undo, moves, graduated } = promotion;
  return (
    <Page
      title={t('detailsTitle', { name })}
      description={t('doneBy', { when: format.dateTime(createdAt), name: by.username })}
      headActions={undo.isPossible && <UndoButton id={promotion.id} />}
    >
      <Alert color={undo.isPossible ? 'teal' : 'gray'} icon={<IconCheck aria-hidden />} mb="md" role="status">
        {undo.because === 'undone'
          ? t('because_undone')
          : [
              t('doneClasses', { count: promotion.classes }),
              graduated && t('doneGraduated', { count: graduated.students }),
              undo.because === null ? t('undoable') : t(`because_${undo.because}`),
            ]
              .filter((sentence) => sentence !== null)
              .map((sentence) => <div key={sentence}>{sentence}</div>)}
      </Alert>
      <DataTable<Move>
        label={t('moves')}
        columns={useColumns()}
        query={knownRows(moves)}
        rowKey={({ classId }) => classId}
        empty={null}
      />
    </Page>
  );
}

function UndoButton({ id }: { readonly id: number }) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const [idempotencyKey] = useState(newIdempotencyKey);
  const undo = defineWrite(
    'undoPromotion',
    { params: { id }, query: { schoolDb }, idempotencyKey },
    () => null,
  );
  return (
    <AskButton
      variant="default"
      leftSection={<IconArrowBackUp aria-hidden size={16} />}
      ask={{
        title: t('undoTitle'),
        text: t('undoText'),
        danger: true,
        run: undo,
        sentences: { 409: t('undoLate') },
      }}
    >
      {t('undoPromotion')}
    </AskButton>
  );
}

function useColumns(): readonly Column<Move>[] {
  const t = useTexts(texts);
  const format = useFormat();
  return [
    { header: t('before'), cell: ({ gradeName, className }) => `${gradeName} ${className}` },
    { header: t('after'), cell: ({ toGradeName, name }) => `${toGradeName} ${name}` },
    { header: t('students'), align: 'end', cell: ({ students }) => format.number(students) },
  ];
}
