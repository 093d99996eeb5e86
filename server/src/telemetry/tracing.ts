import type { FastifyInstance } from 'fastify';
import { waitAtMost } from '../concurrency/until-aborted.ts';
import { ConfigError } from '../errors/config-error.ts';
import { setTrace } from './trace-context.ts';

interface TracingOptions {
  readonly url: string;
  /** Share of traces that begin here; other traces follow the caller's decision. */
  readonly share: number;
  readonly version: string;
  readonly onFailure: (why: string) => void;
}

/** These packages take 30 MB and few servers need them, so operators install them separately. */
const packages = [
  '@fastify/otel@0.21',
  '@opentelemetry/api@1.9',
  '@opentelemetry/core@2',
  '@opentelemetry/exporter-trace-otlp-proto@0.223',
  '@opentelemetry/resources@2',
  '@opentelemetry/sdk-trace@2',
];

/** Time to send the remaining spans when the server stops. */
const shutdownMs = 2_000;

/** Sends spans of requests below /api. Call it before adding routes. @throws ConfigError when packages are missing */
export async function sendTraces(http: FastifyInstance, options: TracingOptions): Promise<void> {
  const { url, share, version, onFailure } = options;
  const { otel, api, core, exporter, resources, sdk } = await load();
  api.propagation.setGlobalPropagator(new core.W3CTraceContextPropagator());
  core.setGlobalErrorHandler((error) => onFailure(typeof error === 'string' ? error : (error.message ?? '')));
  const serverResource = resources.resourceFromAttributes({
    'service.name': 'classledger',
    'service.version': version,
  });
  const provider = new sdk.TracerProvider({
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES override these.
    resource: serverResource.merge(resources.detectResources({ detectors: [resources.envDetector] })),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(share) }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter: new exporter.OTLPTraceExporter({ url }) })],
  });
  const instrumentation = new otel.FastifyOtelInstrumentation({
    instrumentHooks: false,
    instrumentHandler: false,
    ignorePaths: (route) => !route.url.startsWith('/api'),
    requestHook: (span, request) => {
      span.updateName(`${request.method} ${request.routeOptions.url ?? ''}`.trim());
      // Leaves out the query, which may contain names of people.
      span.setAttribute('url.path', request.url.split('?', 1)[0] ?? '');
      span.setAttribute('classledger.request_id', request.id);
      const { traceId, spanId, traceFlags } = span.spanContext();
      setTrace(request, { traceId, spanId, flags: traceFlags.toString(16).padStart(2, '0') });
    },
  });
  instrumentation.setTracerProvider(provider);
  await http.register(instrumentation.plugin());
  http.addHook('onClose', async () => {
    const shutdown = provider.shutdown().catch((error: Error) => onFailure(error.message));
    await waitAtMost(shutdownMs, shutdown);
    core.setGlobalErrorHandler(core.loggingErrorHandler());
    api.propagation.disable();
  });
}

async function load() {
  try {
    const [otel, api, core, exporter, resources, sdk] = await Promise.all([
      import('@fastify/otel'),
      import('@opentelemetry/api'),
      import('@opentelemetry/core'),
      import('@opentelemetry/exporter-trace-otlp-proto'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/sdk-trace'),
    ]);
    return { otel, api, core, exporter, resources, sdk };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new ConfigError(
      `OTEL_EXPORTER_OTLP_ENDPOINT needs packages that are not installed: npm install --no-save ${packages.join(' ')}`,
    );
  }
}
