/**
 * A ref for a control that the page follows: what was typed or chosen while its code was still on its way is told as if it
 * were done now. Without it the control would show one thing and the page would have another.
 */
export function takeEarly(control: HTMLInputElement | HTMLTextAreaElement | null): void {
  if (!control) return
  if (isChosenEarly(control)) {
    control.checked = control.defaultChecked
    control.click()
  } else if (control.value !== control.defaultValue) {
    const typed = control.value
    // React listens to this setter and not to the one below it, and so takes the event for news.
    control.value = control.defaultValue
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')?.set?.call(control, typed)
    control.dispatchEvent(new Event('input', { bubbles: true }))
  }
}

/** Of radio buttons the chosen one is told; the one that gave way follows from it. */
function isChosenEarly(control: HTMLInputElement | HTMLTextAreaElement): control is HTMLInputElement {
  if (!('checked' in control)) return false
  return control.checked !== control.defaultChecked && (control.checked || control.type !== 'radio')
}
