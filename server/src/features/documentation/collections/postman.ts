import type { DocumentReader } from '../reference/document-reader.ts';
import { type CollectedRequest, requestsOf } from './requests.ts';

/**
 * The external API as a Postman collection, version 2.1. Whoever imports it sets the variable `token`; optional
 * parameters are there and switched off.
 */
export function postmanCollection(reader: DocumentReader, origin: string): object {
  const { info, chapters, prefix } = reader;
  return {
    info: {
      name: info.title,
      description: info.description.replaceAll('](/', `](${origin}/`),
      version: info.version,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: `${origin}${prefix}`, type: 'string' },
      { key: 'token', value: '', type: 'string' },
    ],
    item: chapters.map(({ title, description, operations }) => ({
      name: title,
      description,
      item: operations.flatMap(requestsOf).map(item),
    })),
  };
}

function item({ name, operation, path, query, headers, body }: CollectedRequest): object {
  const steps = operation.path
    .slice(1)
    .replace(/\{(\w+)\}/g, ':$1')
    .split('/');
  const given = query.filter(({ disabled }) => !disabled).map((part) => `${part.name}=${part.value}`);
  const request = {
    method: operation.method,
    description: operation.description,
    header: [
      ...headers.map(({ name: key, value, text: description, disabled }) => ({
        key,
        value,
        description,
        disabled,
      })),
      ...(body === null ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
    ],
    ...(body !== null && { body: { mode: 'raw', raw: body, options: { raw: { language: 'json' } } } }),
    url: {
      raw: `{{baseUrl}}/${steps.join('/')}${given.length > 0 ? `?${given.join('&')}` : ''}`,
      host: ['{{baseUrl}}'],
      path: steps,
      query: query.map(({ name: key, value, text: description, disabled }) => ({
        key,
        value,
        description,
        disabled,
      })),
      variable: path.map(({ name: key, text: description }) => ({ key, value: '', description })),
    },
  };
  return {
    name,
    request,
    response: [
      {
        name: 'OK',
        originalRequest: request,
        status: 'OK',
        code: 200,
        header: [{ key: 'Content-Type', value: 'application/json; charset=utf-8' }],
        body: JSON.stringify(operation.example, null, 2),
      },
    ],
  };
}
