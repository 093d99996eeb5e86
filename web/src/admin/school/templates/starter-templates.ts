import type { Template } from '@classledger/contract';
import { call } from '../../../api/call.ts';
import type { CommonKey } from './texts.ts';

export interface StarterTemplate {
  readonly key: CommonKey;
  readonly scoreChange: number;
}

/** Small points for everyday events, more for effort. */
export const starterTemplates: readonly StarterTemplate[] = [
  { key: 'commonAnswer', scoreChange: 1 },
  { key: 'commonHomework', scoreChange: 1 },
  { key: 'commonNeat', scoreChange: 1 },
  { key: 'commonHelp', scoreChange: 2 },
  { key: 'commonTeam', scoreChange: 2 },
  { key: 'commonProgress', scoreChange: 3 },
  { key: 'commonMaterials', scoreChange: -1 },
  { key: 'commonLate', scoreChange: -1 },
  { key: 'commonNoHomework', scoreChange: -2 },
  { key: 'commonDisturbs', scoreChange: -2 },
];

interface TemplatesToAdd {
  readonly name: string;
  readonly scoreChange: number;
}

interface TemplateApi {
  readonly list: () => Promise<readonly Pick<Template, 'name' | 'classId'>[]>;
  readonly create: (template: TemplatesToAdd) => Promise<unknown>;
}

/** Adds templates one by one. Skips existing names, so that a retry adds no template twice. @throws the first error */
export async function addTemplates(
  wanted: readonly TemplatesToAdd[],
  classId: number | null,
  onProgress: (done: number) => void,
  ports: TemplateApi,
): Promise<void> {
  const there = await ports.list();
  const names = new Set(there.filter((one) => one.classId === classId).map(({ name }) => name));
  for (const [index, template] of wanted.entries()) {
    onProgress(index);
    if (!names.has(template.name)) await ports.create(template);
  }
  onProgress(wanted.length);
}

export function templateApiOf(schoolDb: string, classId: number | null): TemplateApi {
  return {
    list: () => call('listScoreTemplates', { query: { schoolDb } }),
    create: (template) =>
      call('createScoreTemplate', {
        body: { schoolDb, ...template, ...(classId !== null && { classId }) },
      }),
  };
}
