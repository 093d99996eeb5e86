import { limits } from 'virtual:contract';
import type { ClassSummary, Seat } from '@classledger/contract';
import { Alert, Modal, NumberInput, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { queryKeyOf, useMutationOf } from '../../../api/queries.ts';
import { FormFooter } from '../../../components/FormFooter.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { defaultLayoutSize, type LayoutSize, layoutPaths, layoutSizeOf } from './room.ts';
import classes from './Seats.module.css';
import { texts } from './texts.ts';

interface GenerateDialogProps {
  readonly schoolDb: string;
  readonly of: ClassSummary;
  readonly seats: readonly Seat[];
  readonly students: number;
  readonly opened: boolean;
  readonly onClose: () => void;
}

export function GenerateDialog({ opened, onClose, ...content }: GenerateDialogProps) {
  const t = useTexts(texts);
  const title = t('generateTitle', { class: `${content.of.gradeName} ${content.of.name}` });
  return (
    <Modal opened={opened} onClose={onClose} title={title} size="lg">
      <Content {...content} onClose={onClose} />
    </Modal>
  );
}

const max = limits.seatExtentMax;
const fields = ['groupCount', 'rowsPerGroup', 'colsPerGroup'] as const;

function Content({ schoolDb, of, seats, students, onClose }: Omit<GenerateDialogProps, 'opened'>) {
  const t = useTexts(texts);
  const client = useQueryClient();
  const [size, setSize] = useState<LayoutSize>(() => layoutSizeOf(seats) ?? defaultLayoutSize(students, max));
  const [empty, setEmpty] = useState<ReadonlySet<keyof LayoutSize>>(new Set());
  const generate = useMutationOf('generateSeats', {
    onSuccess: (made) => {
      client.setQueryData(queryKeyOf('listSeats', { query: { schoolDb, classId: of.id } }), made.seats);
      const unseated = made.unseated > 0 ? ` ${t('unseated', { count: made.unseated })}` : '';
      notifications.show({ message: `${t('generated', { count: made.seats.length })}${unseated}` });
      onClose();
    },
  });
  const change = (field: keyof LayoutSize, value: number | string) => {
    const given = Number.isInteger(value);
    const next = new Set(empty);
    if (given) next.delete(field);
    else next.add(field);
    setEmpty(next);
    if (given) setSize({ ...size, [field]: Number(value) });
  };
  const count = size.groupCount * size.rowsPerGroup * size.colsPerGroup;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (empty.size === 0) generate.mutate({ body: { schoolDb, classId: of.id, ...size } });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <div className={classes.sizes}>
          {fields.map((field, place) => (
            <NumberInput
              key={field}
              label={t(field)}
              value={empty.has(field) ? '' : size[field]}
              onChange={(value) => change(field, value)}
              min={1}
              max={max}
              clampBehavior="strict"
              allowDecimal={false}
              allowNegative={false}
              error={empty.has(field) && t('between', { max })}
              {...(place === 0 && { 'data-autofocus': true })}
            />
          ))}
        </div>
        <Preview size={size} students={students} />
        <Text size="sm" role="status">
          {t('seatsAndStudents', {
            seats: t('seatCount', { count }),
            students: t('studentCount', { count: students }),
          })}{' '}
          {count > students ? (
            t('remainFree', { count: count - students })
          ) : count === students ? (
            t('exactly')
          ) : (
            <Text span fw={600} c="var(--app-minus)">
              {t('unseated', { count: students - count })}
            </Text>
          )}
        </Text>
        {seats.length > 0 ? (
          <Alert color="orange" py="xs">
            {t('replaces')}
          </Alert>
        ) : (
          <Text size="sm" c="dimmed">
            {t('seatedByUsername')}
          </Text>
        )}
        <FormFooter
          attempt={generate}
          onCancel={onClose}
          submitLabel={t(seats.length > 0 ? 'generateAgain' : 'generate')}
          disabled={empty.size > 0}
        />
      </Stack>
    </form>
  );
}

function Preview({ size, students }: { readonly size: LayoutSize; readonly students: number }) {
  const t = useTexts(texts);
  const { width, height, taken, free } = layoutPaths(size, students);
  const { groupCount: groups, rowsPerGroup: rows, colsPerGroup: cols } = size;
  return (
    <div className={classes.preview}>
      <div className={classes.desk}>{t('desk')}</div>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={t('preview', { groups, rows, cols })}>
        <path d={free} className={classes.previewFree} />
        <path d={taken} className={classes.previewTaken} />
      </svg>
    </div>
  );
}
