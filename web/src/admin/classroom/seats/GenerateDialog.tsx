import { limits } from 'virtual:contract';
import type { ClassSummary, Seat } from '@classledger/contract';
import { Alert, NumberInput, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { queryKeyOf } from '../../../api/queries.ts';
import type { DialogProps } from '../../../components/ConfirmDialog.tsx';
import { Hint } from '../../../components/Hint.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { FormDialog } from '../../page/FormDialog.tsx';
import { defineWrite } from '../../page/write.ts';
import { Desk } from '../parts.tsx';
import { defaultLayoutSize, type LayoutSize, layoutPaths, layoutSizeOf } from './room.ts';
import { texts } from './texts.ts';

interface GenerateDialogProps extends DialogProps {
  readonly schoolDb: string;
  readonly of: ClassSummary;
  readonly seats: readonly Seat[];
  readonly students: number;
}

const max = limits.seatExtentMax;
const fields = ['groupCount', 'rowsPerGroup', 'colsPerGroup'] as const;
type TypedSize = Readonly<Record<keyof LayoutSize, number | string>>;

/** An empty field counts as 1. */
const sizeOf = ({ groupCount, rowsPerGroup, colsPerGroup }: TypedSize): LayoutSize => ({
  groupCount: Number(groupCount) || 1,
  rowsPerGroup: Number(rowsPerGroup) || 1,
  colsPerGroup: Number(colsPerGroup) || 1,
});

export function GenerateDialog({ schoolDb, of, seats, students, ...dialog }: GenerateDialogProps) {
  const t = useTexts(texts);
  const client = useQueryClient();
  const values: TypedSize = layoutSizeOf(seats) ?? defaultLayoutSize(students, max);
  return (
    <FormDialog
      {...dialog}
      title={t('generateTitle', { class: `${of.gradeName} ${of.name}` })}
      size="lg"
      submitLabel={t(seats.length > 0 ? 'generateAgain' : 'generate')}
      bodyOf="generateSeats"
      values={values}
      check={(typed) =>
        Object.fromEntries(fields.map((field) => [field, typed[field] === '' && t('between', { max })]))
      }
      save={(typed) =>
        defineWrite('generateSeats', { body: { schoolDb, classId: of.id, ...sizeOf(typed) } }, (made) => {
          client.setQueryData(queryKeyOf('listSeats', { query: { schoolDb, classId: of.id } }), made.seats);
          const generated = t('generated', { count: made.seats.length });
          return made.unseated > 0 ? `${generated} ${t('unseated', { count: made.unseated })}` : generated;
        })
      }
    >
      {({ field, values: typed }) => (
        <>
          <SimpleGrid cols={3} spacing="sm" style={{ alignItems: 'end' }}>
            {fields.map((name) => (
              <NumberInput
                key={name}
                {...field(name)}
                label={t(name)}
                min={1}
                max={max}
                clampBehavior="strict"
                allowDecimal={false}
                allowNegative={false}
              />
            ))}
          </SimpleGrid>
          <Preview size={sizeOf(typed)} students={students} />
          {seats.length > 0 ? (
            <Alert color="orange" py="xs">
              {t('replaces')}
            </Alert>
          ) : (
            <Hint>{t('seatedByUsername')}</Hint>
          )}
        </>
      )}
    </FormDialog>
  );
}

function Preview({ size, students }: { readonly size: LayoutSize; readonly students: number }) {
  const t = useTexts(texts);
  const { width, height, taken, free } = layoutPaths(size, students);
  const { groupCount: groups, rowsPerGroup: rows, colsPerGroup: cols } = size;
  const count = groups * rows * cols;
  return (
    <>
      <Stack gap="sm" p={14} bd="1px solid var(--app-line)" bdrs={10} bg="var(--app-background)">
        <Desk w="min(320px, 60%)" mx="auto" p={6} />
        <svg
          width="100%"
          height={190}
          viewBox={`0 0 ${width} ${height}`}
          role="img"
          aria-label={t('preview', { groups, rows, cols })}
        >
          <path d={free} fill="color-mix(in srgb, var(--app-text-quiet) 28%, transparent)" />
          <path d={taken} fill="var(--app-accent)" />
        </svg>
      </Stack>
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
    </>
  );
}
