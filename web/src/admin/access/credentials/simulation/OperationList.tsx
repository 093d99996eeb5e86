import type { Permission } from '@classledger/contract';
import { Stack, Title } from '@mantine/core';
import { IconCheck, IconLock } from '@tabler/icons-react';
import type { DataOf } from '../../../../api/operation-types.ts';
import { useLanguage, useTexts } from '../../../../i18n/texts.ts';
import { permissionTexts } from '../permission-texts.ts';
import classes from './Simulation.module.css';
import { texts } from './texts.ts';

type Operation = DataOf<'simulateCredential'>['operations'][number];

export function OperationList({ operations }: { readonly operations: readonly Operation[] }) {
  const inChinese = useLanguage() === 'zh-CN';
  const chapters = Map.groupBy(operations, ({ tag }) => tag);
  return (
    <Stack gap="md">
      {[...chapters].map(([tag, all]) => (
        <section key={tag}>
          <Title order={4} size="h6" mb={6}>
            {inChinese ? all[0]?.tagInChinese : tag}
          </Title>
          <ul className={classes.list}>
            {all.map((one) => (
              <OperationLine key={one.operation} operation={one} inChinese={inChinese} />
            ))}
          </ul>
        </section>
      ))}
    </Stack>
  );
}

interface OperationLineProps {
  readonly operation: Operation;
  readonly inChinese: boolean;
}

function OperationLine({ operation, inChinese }: OperationLineProps) {
  const t = useTexts(texts);
  const { method, path, allowed, sample, real, summary, summaryInChinese } = operation;
  return (
    <li className={classes.operation}>
      <div>
        <div>{inChinese ? summaryInChinese : summary}</div>
        <div className={classes.call}>
          {method} {path}
        </div>
        {!allowed && <MissingPermission operation={operation} />}
      </div>
      <span className={classes.verdict} data-refused={!allowed || undefined}>
        {allowed ? <IconCheck aria-hidden size={16} /> : <IconLock aria-hidden size={16} />}
        {t(allowed ? 'allowed' : 'refused')}
      </span>
      {sample !== null && (
        <details>
          <summary>{t(real ? 'answer' : 'example')}</summary>
          <div className={classes.quiet}>{t(real ? 'answerHint' : 'exampleHint')}</div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll this region */}
          <pre className={classes.sample} tabIndex={0}>
            {JSON.stringify(JSON.parse(sample), null, 2)}
          </pre>
        </details>
      )}
    </li>
  );
}

function MissingPermission({
  operation: { missing, permission, scopeTypes },
}: {
  readonly operation: Operation;
}) {
  const t = useTexts(texts);
  const p = useTexts(permissionTexts);
  const words =
    missing === 'permission'
      ? t('needsPermission', { permission: p(permission as Permission) })
      : t(scopeTypes.includes('grade') ? 'needsGrade' : 'needsSchool');
  return <div className={classes.quiet}>{words}</div>;
}
