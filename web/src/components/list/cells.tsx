import { Badge, Text, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { DateText } from '../DateText.tsx';

interface CellProps {
  readonly children: ReactNode;
}

/** Shows the name of a row; breaks a long name without spaces. */
export function RowName({ children }: CellProps) {
  return (
    <Text span inherit fw={600} style={{ overflowWrap: 'anywhere' }}>
      {children}
    </Text>
  );
}

interface TwoLinesProps extends CellProps {
  /** The second line, in small print; absent when false or null. */
  readonly under: ReactNode;
  readonly danger?: boolean;
}

export function TwoLines({ children, under, danger = false }: TwoLinesProps) {
  return (
    <>
      {children}
      {under !== null && under !== false && (
        <Text span display="block" size="sm" fw={400} c={danger ? 'var(--app-minus)' : 'dimmed'}>
          {under}
        </Text>
      )}
    </>
  );
}

interface StatusBadgeProps {
  readonly color: string;
  readonly label: string;
  /** Explains the state, on hover and for screen readers. */
  readonly about?: string;
}

export function StatusBadge({ color, label, about }: StatusBadgeProps) {
  const badge = { variant: 'light', color, tt: 'none', miw: 'max-content' } as const;
  if (about === undefined) return <Badge {...badge}>{label}</Badge>;
  return (
    <Tooltip label={about} multiline maw={280} events={{ hover: true, focus: true, touch: true }}>
      <Badge {...badge} tabIndex={0}>
        {label}
        <span className="visually-hidden">{` (${about})`}</span>
      </Badge>
    </Tooltip>
  );
}

interface TimeAgoProps {
  readonly value: string | null;
  readonly never: string;
}

export function TimeAgo({ value, never }: TimeAgoProps) {
  if (value !== null) return <DateText value={value} as="ago" />;
  return (
    <Text span inherit c="dimmed">
      {never}
    </Text>
  );
}

export function OneLine({ children }: CellProps) {
  return <span style={{ whiteSpace: 'nowrap' }}>{children}</span>;
}
