import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import Home from './home.vue'
import './style.css'

export default {
  extends: DefaultTheme,
  // The theme uses a component of this name for pages with the layout `home`.
  enhanceApp: ({ app }) => void app.component('home', Home),
} satisfies Theme
