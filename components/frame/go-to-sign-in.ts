/** The sign-in ended: the page must not go on showing what it had. Leads back here afterwards. */
export function goToSignIn(): void {
  location.assign(`/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`)
}
