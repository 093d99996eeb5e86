import { escapeHtml } from '../highlight.ts';
import type { Parameter } from '../openapi-document.ts';
import type { Json } from '../openapi-schemas.ts';
import type { PageTexts } from '../page-texts.ts';
import {
  bodyExamplesOf,
  type DocumentedOperation,
  type DocumentReader,
  isConfirmation,
} from './document-reader.ts';

/** Renders a form for /docs/assets/try.js, which does not send empty parameter fields. */
export function renderTryForm(
  operation: DocumentedOperation,
  reader: DocumentReader,
  texts: PageTexts,
): string {
  const { method, path, parameters, requestBody, security } = operation;
  const [scheme] = security.flatMap(Object.keys);
  const fields = [
    ...(scheme === undefined ? [] : [identityField(reader.isToken(scheme) ? scheme : null, texts)]),
    ...parameters
      .filter((parameter) => !isConfirmation(parameter))
      .map((parameter) => parameterField(parameter, texts)),
    ...(requestBody ? [bodyField(operation, texts)] : []),
  ];
  const needsConfirmation = parameters.some(isConfirmation);
  const asks = method === 'DELETE' || needsConfirmation ? ' data-asks' : '';
  const confirms = needsConfirmation ? ' data-confirms' : '';
  const warning = method === 'GET' ? '' : ` <strong>${texts.tryWrites}</strong>`;
  return `<details class="try" hidden><summary>${texts.tryIt}</summary>
<form data-method="${method}" data-path="${escapeHtml(reader.prefix + path)}"${asks}${confirms}>
<p class="hint">${texts.tryHint}${warning}</p>
${fields.join('\n')}
<button type="submit">${texts.send}</button>
</form>
<div class="result" role="status" tabindex="-1"></div>
</details>`;
}

function identityField(scheme: string | null, texts: PageTexts): string {
  if (scheme === null) return `<p class="hint">${texts.sessionHint}</p>`;
  const name = scheme === 'student' ? texts.studentToken : texts.credential;
  return `<label>${name}<input type="password" data-credential="${scheme}" autocomplete="off" spellcheck="false" required><small>${texts.credentialHint}</small></label>`;
}

function parameterField(parameter: Parameter, texts: PageTexts): string {
  const { name, required } = parameter;
  const need = required ? ` <span class="need">${texts.required}</span>` : '';
  const attributes = `name="${escapeHtml(name)}" data-in="${parameter.in}"${required ? ' required' : ''}`;
  return `<label><span><code>${escapeHtml(name)}</code>${need}</span>${control(parameter, attributes, texts)}</label>`;
}

function control({ name, schema, required }: Parameter, attributes: string, texts: PageTexts): string {
  const { type, enum: choices } = schema as Json & { enum?: unknown[] };
  const values = choices ?? (type === 'boolean' ? ['true', 'false'] : null);
  if (values !== null) {
    const options = values.map((value) => `<option>${escapeHtml(String(value))}</option>`);
    return `<select ${attributes}><option value="">${texts.notSent}</option>${options.join('')}</select>`;
  }
  const kind = /password/i.test(name) ? 'password' : 'text';
  const digits = type === 'integer' ? ' inputmode="numeric"' : '';
  const empty = required ? '' : ` placeholder="${texts.notSent}"`;
  return `<input type="${kind}" ${attributes}${digits}${empty} autocomplete="off" spellcheck="false">`;
}

function bodyField(operation: DocumentedOperation, texts: PageTexts): string {
  const options = bodyExamplesOf(operation).map(
    ({ summary, value }) =>
      `<option value="${escapeHtml(JSON.stringify(value, null, 2))}">${escapeHtml(summary)}</option>`,
  );
  return `<label>${texts.exampleBody}<select data-fills><option value=""></option>${options.join('')}</select></label>
<label>${texts.body}<textarea name="body" rows="6" spellcheck="false" autocomplete="off" required></textarea></label>`;
}
