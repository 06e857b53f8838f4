import {
  gitProviders,
  pingAttendance,
  pingErrors,
  pingGit,
  pingLeads,
  type Route,
  responseSchema,
} from '@service/contract'
import { type Check, expectSame, expectShape, expectStatus, expectThat } from '../probe.ts'

const ping = (route: Route, name: string, path = route.path): Check => ({
  section: '§4',
  title: `the ping of ${name} needs no credentials and names POST as its method`,
  basis: 'documented',
  operation: route.operation,
  async run(probe) {
    const reply = await probe.inbound(path)
    expectStatus(reply, 200)
    expectShape(responseSchema(route), reply)
    expectSame(['POST'], (reply.json as { supported_methods: unknown }).supported_methods, 'supported_methods') // its shape was checked
  },
})

export const pingChecks: readonly Check[] = [
  ping(pingErrors, 'errors'),
  ping(pingAttendance, 'attendance'),
  ping(pingLeads, 'leads', pingLeads.path.replace('{source}', 'website')),
  ...gitProviders.map((provider) => ping(pingGit, provider, pingGit.path.replace('{provider}', provider))),
  {
    section: '§4',
    title: 'six lead sources are supported, website among them, and the hint is the source of the path',
    basis: 'documented',
    operation: pingLeads.operation,
    async run(probe) {
      const reply = await probe.inbound(pingLeads.path.replace('{source}', 'website'))
      const { supported_sources, source_hint } = expectShape(pingLeads.responses[200], reply)
      expectThat(supported_sources.length === 6 && supported_sources.includes('website'), 'six with website', {
        supported_sources,
      })
      expectSame('website', source_hint, 'source_hint')
    },
  },
]
