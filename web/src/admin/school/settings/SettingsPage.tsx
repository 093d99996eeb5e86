import { limits } from 'virtual:contract';
import type { ClassroomTool, SchoolSettings } from '@classledger/contract';
import { Checkbox, NumberInput, Radio, SimpleGrid, Stack, Text } from '@mantine/core';
import { useOperation } from '../../../api/queries.ts';
import { LoadingOrError } from '../../../components/LoadingOrError.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Page } from '../../page/Page.tsx';
import { Section } from '../../page/Section.tsx';
import { useSchool } from '../../school.tsx';
import { TimeZoneSelect } from '../../TimeZoneSelect.tsx';
import { ClassmatesForm } from './ClassmatesForm.tsx';
import { SettingForm } from './SettingForm.tsx';
import { texts } from './texts.ts';

export default function SettingsPage() {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const settings = useOperation('getSchoolSettings', { query: { schoolDb } });
  const { data } = settings;
  return (
    <Page title={t('title')} description={t('intro')}>
      {!data && <LoadingOrError of={[settings]} />}
      {data && (
        <Stack maw={860} key={schoolDb}>
          <Section title={t('classmatesTitle')} text={t('classmatesText')}>
            <ClassmatesForm stored={data.classmates} />
          </Section>
          <Section title={t('giversTitle')} text={t('giversText')}>
            <PointGiversForm stored={data.pointGivers} />
          </Section>
          <Section title={t('timeZoneTitle')} text={t('timeZoneText')}>
            <TimeZoneForm stored={data.timeZone} />
          </Section>
          <Section title={t('toolsTitle')} text={t('toolsText')}>
            <ToolsForm stored={data.switchedOffTools} />
          </Section>
          <Section title={t('leaversTitle')} text={t('leaversText')}>
            <LeaversForm stored={data.eraseLeaversAfterDays} />
          </Section>
        </Stack>
      )}
    </Page>
  );
}

type PointGivers = SchoolSettings['pointGivers'];

const pointGiversTexts = {
  never: 'giversNever',
  plus: 'giversPlus',
  always: 'giversAlways',
} as const satisfies Record<PointGivers, string>;

function PointGiversForm({ stored }: { readonly stored: PointGivers }) {
  const t = useTexts(texts);
  return (
    <SettingForm stored={stored} bodyOf={(pointGivers) => ({ pointGivers })}>
      {({ value, choose }) => (
        <Radio.Group
          aria-label={t('giversTitle')}
          value={value}
          onChange={(next) => choose(next as PointGivers)}
        >
          <Stack gap="sm">
            {Object.entries(pointGiversTexts).map(([choice, label]) => (
              <Radio key={choice} value={choice} label={t(label)} />
            ))}
          </Stack>
        </Radio.Group>
      )}
    </SettingForm>
  );
}

function TimeZoneForm({ stored }: { readonly stored: string }) {
  const t = useTexts(texts);
  const format = useFormat();
  return (
    <SettingForm stored={stored} bodyOf={(timeZone) => ({ timeZone })}>
      {({ value: timeZone, choose, isChanged }) => (
        <>
          <TimeZoneSelect
            label={t('timeZone')}
            description={t('timeZoneNow', { time: format.timeNow() })}
            value={timeZone}
            onChange={(next) => choose(next ?? stored)}
            maw={480}
          />
          {isChanged && <Text size="sm">{t('timeZoneChanges')}</Text>}
        </>
      )}
    </SettingForm>
  );
}

/** All tools, in the order shown. The type check fails if one is missing. */
const tools = Object.keys({
  timer: 0,
  pick: 0,
  attendance: 0,
  notes: 0,
  teams: 0,
} satisfies Record<ClassroomTool, 0>) as readonly ClassroomTool[];

const othersThan = (some: readonly string[]) => tools.filter((tool) => !some.includes(tool));

function ToolsForm({ stored }: { readonly stored: readonly ClassroomTool[] }) {
  const t = useTexts(texts);
  return (
    <SettingForm stored={othersThan(stored)} bodyOf={(on) => ({ switchedOffTools: othersThan(on) })}>
      {({ value: on, choose }) => (
        <Checkbox.Group
          aria-label={t('toolsTitle')}
          value={on}
          onChange={(next) => choose(tools.filter((tool) => next.includes(tool)))}
        >
          <SimpleGrid minColWidth="min(300px, 100%)" spacing={24} verticalSpacing="md">
            {tools.map((tool) => (
              <Checkbox key={tool} value={tool} label={t(tool)} description={t(`${tool}Hint`)} />
            ))}
          </SimpleGrid>
        </Checkbox.Group>
      )}
    </SettingForm>
  );
}

const bounds = { min: limits.eraseLeaversAfterDaysMin, max: limits.eraseLeaversAfterDaysMax };

interface Leavers {
  readonly mode: 'never' | 'after';
  readonly days: number | string;
}

const isWrong = (days: number) => !Number.isInteger(days) || days < bounds.min || days > bounds.max;

function LeaversForm({ stored }: { readonly stored: number | null }) {
  const t = useTexts(texts);
  return (
    <SettingForm<Leavers>
      stored={{ mode: stored === null ? 'never' : 'after', days: stored ?? 365 }}
      bodyOf={({ mode, days }) => ({ eraseLeaversAfterDays: mode === 'never' ? null : Number(days) })}
      faultOf={({ mode, days }) => mode === 'after' && isWrong(Number(days)) && t('daysWrong', bounds)}
      // Asks for a confirmation only if the change erases data.
      questionFor={({ mode, days }) =>
        mode === 'after' && {
          title: t('confirmTitle'),
          text: <Consequences days={Number(days)} />,
          confirmLabel: t('confirm'),
          danger: true,
        }
      }
    >
      {({ value: { mode, days }, choose, fault }) => (
        <>
          <Radio.Group
            aria-label={t('leaversTitle')}
            value={mode}
            onChange={(next) => choose({ mode: next, days })}
          >
            <Stack gap="sm">
              <Radio value="never" label={t('never')} description={t('neverHint')} />
              <Radio value="after" label={t('after')} description={t('afterHint')} />
            </Stack>
          </Radio.Group>
          {mode === 'after' && (
            <>
              <NumberInput
                label={t('days')}
                description={t('daysHint', bounds)}
                value={days}
                onChange={(value) => choose({ mode, days: value })}
                allowDecimal={false}
                allowNegative={false}
                maw={280}
                error={fault}
              />
              <Text size="sm">{t('whatGoes')}</Text>
            </>
          )}
        </>
      )}
    </SettingForm>
  );
}

function Consequences({ days }: { readonly days: number }) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const disabled = useOperation('listUsers', { query: { schoolDb, disabled: true } });
  const count = disabled.data?.filter(({ erased }) => !erased).length;
  return (
    <>
      <Text size="sm">{t('confirmText', { count: days })}</Text>
      {count !== undefined && <Text size="sm">{t('confirmNow', { count })}</Text>}
    </>
  );
}
