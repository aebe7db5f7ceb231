/** Variables that a shell, package tools and certificates need; nothing else of the agent's own goes to a plain program. */
const KEPT = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'TZ']
const KEPT_PATTERN =
  /^(?:(?:https?|no)_proxy|(?:PIP|UV|npm_config)_\w+|(?:SSL_CERT_FILE|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|NODE_EXTRA_CA_CERTS))$/i

/** Pure: what a program without a sandbox inherits. */
export function ownEnvironment(own: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept = Object.entries(own).filter(([name]) => KEPT.includes(name) || KEPT_PATTERN.test(name))
  return Object.fromEntries(kept.filter((pair): pair is [string, string] => pair[1] !== undefined))
}
