const apis = '/api/';

export function pathOf(url: string): string {
  const [path = ''] = url.split('?', 1);
  return path.endsWith('/') && path.length > apis.length && path.startsWith(apis) ? path.slice(0, -1) : path;
}

export class KnownPaths {
  readonly #methods = new Map<string, { readonly pattern: RegExp; readonly methods: string[] }>();

  add(method: string, path: string): void {
    const known = this.#methods.get(path) ?? {
      pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`),
      methods: [],
    };
    known.methods.push(...(method === 'GET' ? ['GET', 'HEAD'] : [method]));
    this.#methods.set(path, known);
  }

  methodsOf(url: string): string[] {
    const path = pathOf(url);
    return [...this.#methods.values()].flatMap(({ pattern, methods }) => (pattern.test(path) ? methods : []));
  }
}
